//! Invariants tests of visibility: what INSERT, UPDATE and deletes leave to be seen.

use cenotaph_engine::rows::{Cell, Liveness, Partition, Row};

use super::support::{
    V, at, cell, deletion, expiring, merge, row, row_cell, row_deletion, tombstone, visible,
};

/// An INSERT of `v`: a marker and a cell.
fn insert(value: Cell) -> Partition {
    row(
        1,
        Row {
            liveness: Some(Liveness::plain(value.timestamp)),
            ..one_cell(value)
        },
    )
}

/// An UPDATE of `v`: a cell alone.
fn update(value: Cell) -> Partition {
    row_cell(1, V, value)
}

fn one_cell(value: Cell) -> Row {
    Row {
        cells: vec![(V.into(), value)],
        ..Row::default()
    }
}

/// The only row, and its live value of `v` at `now`.
fn seen(versions: &[Partition], now: u32) -> (bool, Option<String>) {
    let merged = merge(versions);
    let Some(row) = merged.rows.get(&at(1)) else {
        return (false, None);
    };
    let value = row.cell(V).filter(|cell| cell.is_live(now));
    let text = |cell: &Cell| String::from_utf8(cell.value.to_vec()).unwrap();
    (row.is_visible(now), value.map(text))
}

fn nothing() -> (bool, Option<String>) {
    (false, None)
}

fn nulls() -> (bool, Option<String>) {
    (true, None)
}

fn value(text: &str) -> (bool, Option<String>) {
    (true, Some(text.to_owned()))
}

#[test]
fn an_inserted_key_is_a_row_of_nulls() {
    let only_key = row(
        1,
        Row {
            liveness: Some(Liveness::plain(10)),
            ..Row::default()
        },
    );
    assert_eq!(seen(&[only_key], 0), nulls());
    assert_eq!(seen(&[insert(tombstone(10, 5))], 0), nulls());
}

#[test]
fn an_updated_row_lives_by_its_cells_alone() {
    let versions = [update(cell("1", 10)), update(tombstone(11, 5))];
    assert_eq!(seen(&versions[..1], 0), value("1"));
    assert_eq!(seen(&versions, 0), nothing());
    let merged = merge(&versions);
    let kept = merged.rows.get(&at(1)).unwrap();
    assert_eq!(
        kept.cells,
        [(V.into(), tombstone(11, 5))],
        "the tombstone is kept"
    );
}

#[test]
fn an_inserted_row_survives_the_deletion_of_its_last_cell() {
    assert_eq!(
        seen(&[insert(cell("1", 10)), update(tombstone(11, 5))], 0),
        nulls()
    );
}

#[test]
fn a_null_written_to_an_absent_row_shows_nothing() {
    assert_eq!(seen(&[update(tombstone(10, 5))], 0), nothing());
}

#[test]
fn a_row_inserted_with_a_ttl_is_gone_at_its_expiry() {
    let marker = Liveness::expiring(10, 5, 200);
    let only_key = row(
        1,
        Row {
            liveness: Some(marker),
            ..Row::default()
        },
    );
    assert_eq!(seen(std::slice::from_ref(&only_key), 199), nulls());
    assert_eq!(seen(&[only_key], 200), nothing());
}

#[test]
fn a_later_update_outlives_an_expired_insert() {
    let marker = Some(Liveness::expiring(10, 5, 200));
    let inserted = row(
        1,
        Row {
            liveness: marker,
            ..one_cell(expiring("1", 10, 5, 200))
        },
    );
    let versions = [inserted, update(cell("2", 11))];
    assert_eq!(seen(&versions, 250), value("2"));
}

#[test]
fn an_insert_keeps_a_row_whose_value_expired() {
    let only_key = row(
        1,
        Row {
            liveness: Some(Liveness::plain(11)),
            ..Row::default()
        },
    );
    let versions = [update(expiring("1", 10, 5, 200)), only_key];
    assert_eq!(seen(&versions, 199), value("1"));
    assert_eq!(seen(&versions, 250), nulls());
}

#[test]
fn a_row_deletion_takes_what_has_its_timestamp_and_leaves_what_is_later() {
    let same = [insert(cell("1", 10)), row_deletion(1, deletion(10))];
    let merged = merge(&same);
    assert_eq!(merged, row_deletion(1, deletion(10)));
    assert_eq!(visible(&merged, 0), Vec::<i32>::new());

    let later = [insert(cell("1", 11)), row_deletion(1, deletion(10))];
    assert_eq!(seen(&later, 0), value("1"));
    assert_eq!(
        merge(&later).rows.get(&at(1)).unwrap().deletion,
        Some(deletion(10)),
        "the deletion is kept"
    );
}
