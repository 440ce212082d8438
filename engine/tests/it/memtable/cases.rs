//! Invariants under test: what a memtable makes of writes and deletions that meet, as a stream with tombstones, and as
//! rows without.

use std::rc::Rc;

use cenotaph_engine::keys::{Bound, Slice};
use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::read::{Fragment, Unfiltered};
use cenotaph_engine::rows::{DeletionTime, Partition};

use super::content::{TABLE, key, put};
use crate::rows::support::{
    V, after, at, before, cell, complex, deletion, deletion_at, element, expiring,
    partition_deletion, path, range, row_cell, row_deletion, static_cell, tombstone,
};

/// A memtable whose only partition got these writes, in order.
pub(crate) fn holding(writes: impl IntoIterator<Item = Partition>) -> Rc<Memtable> {
    let memtable = Memtable::new(TABLE);
    for write in writes {
        put(&memtable, 1, write);
    }
    memtable
}

fn everything(memtable: &Rc<Memtable>) -> Partition {
    memtable.get(&key(1), &Slice::ALL).unwrap_or_default()
}

fn unfiltered(memtable: &Rc<Memtable>) -> Unfiltered {
    let mut unfiltered = Unfiltered::default();
    if let Some(snapshot) = memtable.snapshot(&key(1)) {
        unfiltered.push_snapshot(snapshot);
    }
    unfiltered
}

/// The rows that a live-only read shows, in its order.
fn live(memtable: &Rc<Memtable>, slice: &Slice, reversed: bool) -> Vec<i32> {
    let rows = unfiltered(memtable).into_live_only(slice, reversed);
    let number = |row: Vec<u8>| (0..20).find(|number| at(*number).0 == row).unwrap();
    rows.map(|(row, _)| number(row.0.to_vec())).collect()
}

fn stream(memtable: &Rc<Memtable>, slice: &Slice, reversed: bool) -> Vec<Fragment> {
    unfiltered(memtable)
        .into_fragments(slice, reversed)
        .collect()
}

fn marker(at: Bound, left: Option<DeletionTime>, right: Option<DeletionTime>) -> Fragment {
    Fragment::Marker { at, left, right }
}

fn slice(start: Bound, end: Bound) -> Slice {
    Slice { start, end }
}

#[test]
fn a_deleted_row_is_gone_from_what_is_live_and_stays_in_the_stream() {
    let memtable = holding([row_cell(1, V, cell("a", 10)), row_deletion(1, deletion(20))]);
    assert_eq!(everything(&memtable), row_deletion(1, deletion(20)));
    assert_eq!(live(&memtable, &Slice::ALL, false), []);
    let snapshot = memtable.snapshot(&key(1)).unwrap();
    assert_eq!(snapshot.next_row(&[], false), None);
    assert_eq!(snapshot.in_force(&at(1)), Some(deletion(20)));
}

#[test]
fn what_a_row_deletion_finds_later_lives_and_what_is_older_never_comes_in() {
    let deleted = row_deletion(1, deletion(20));
    let older = holding([deleted.clone(), row_cell(1, V, cell("a", 15))]);
    assert_eq!(everything(&older), deleted);
    let later = holding([deleted.clone(), row_cell(1, V, cell("a", 25))]);
    let mut expected = deleted;
    expected.apply(row_cell(1, V, cell("a", 25)));
    assert_eq!(everything(&later), expected);
    assert_eq!(live(&later, &Slice::ALL, false), [1]);
}

#[test]
fn a_partition_deletion_takes_what_is_older_and_no_more() {
    let memtable = holding([
        row_cell(1, V, cell("a", 10)),
        row_cell(2, V, cell("b", 40)),
        range(before(3), after(4), deletion(35)),
        range(before(5), after(6), deletion(20)),
        partition_deletion(deletion(30)),
    ]);
    let mut expected = partition_deletion(deletion(30));
    expected.apply(row_cell(2, V, cell("b", 40)));
    expected.apply(range(before(3), after(4), deletion(35)));
    assert_eq!(everything(&memtable), expected);
    assert_eq!(live(&memtable, &Slice::ALL, false), [2]);
}

#[test]
fn overlapping_ranges_come_back_as_three_markers_either_way() {
    let memtable = holding([
        range(before(1), after(5), deletion(10)),
        range(before(3), after(8), deletion(20)),
    ]);
    let (ten, twenty) = (Some(deletion(10)), Some(deletion(20)));
    let mut markers = vec![
        marker(before(1), None, ten),
        marker(before(3), ten, twenty),
        marker(after(8), twenty, None),
    ];
    assert_eq!(stream(&memtable, &Slice::ALL, false), markers);
    markers.reverse();
    assert_eq!(stream(&memtable, &Slice::ALL, true), markers);
}

#[test]
fn a_slice_opens_and_closes_what_it_cuts() {
    let memtable = holding([
        range(before(1), after(5), deletion(10)),
        range(before(3), after(8), deletion(20)),
    ]);
    let (ten, twenty) = (Some(deletion(10)), Some(deletion(20)));
    let mut markers = vec![
        marker(before(2), None, ten),
        marker(before(3), ten, twenty),
        marker(after(4), twenty, None),
    ];
    let cut = slice(before(2), after(4));
    assert_eq!(stream(&memtable, &cut, false), markers);
    markers.reverse();
    assert_eq!(stream(&memtable, &cut, true), markers);
}

#[test]
fn ranges_of_one_deletion_join_where_they_touch_and_only_there() {
    let ranges = |first_end, second_start| {
        let memtable = holding([
            range(before(1), first_end, deletion(10)),
            range(second_start, after(5), deletion(10)),
        ]);
        everything(&memtable).ranges.len()
    };
    assert_eq!(ranges(before(3), before(3)), 1);
    assert_eq!(ranges(after(3), after(3)), 1);
    assert_eq!(
        ranges(before(3), after(3)),
        2,
        "the row between is covered by neither"
    );
}

#[test]
fn the_static_row_dies_with_the_partition_and_by_no_range() {
    let everywhere = range(Bound::BOTTOM, Bound::TOP, deletion(9));
    let memtable = holding([static_cell(cell("s", 5)), everywhere]);
    assert!(!everything(&memtable).static_row.is_empty());
    put(&memtable, 1, partition_deletion(deletion(9)));
    assert!(everything(&memtable).static_row.is_empty());
}

#[test]
fn a_row_deletion_within_a_range_stays_only_if_it_says_more() {
    let around = range(before(1), after(5), deletion_at(20, 100));
    let same = holding([around.clone(), row_deletion(3, deletion_at(20, 100))]);
    assert_eq!(everything(&same), around);
    for order in [false, true] {
        let mut writes = vec![around.clone(), row_deletion(3, deletion_at(21, 100))];
        if order {
            writes.reverse();
        }
        let later = holding(writes);
        assert_eq!(everything(&later).rows.len(), 1);
        assert_eq!(everything(&later).ranges, around.ranges);
        let snapshot = later.snapshot(&key(1)).unwrap();
        assert_eq!(snapshot.in_force(&at(3)), Some(deletion_at(21, 100)));
        assert_eq!(snapshot.in_force(&at(2)), Some(deletion_at(20, 100)));
    }
}

#[test]
fn a_slice_that_ends_before_a_row_has_nothing_of_its_deletion() {
    let memtable = holding([row_deletion(3, deletion(20))]);
    let cut = slice(before(1), before(3));
    assert_eq!(memtable.get(&key(1), &cut), None);
    assert_eq!(stream(&memtable, &cut, false), []);
}

#[test]
fn a_deletion_of_what_never_was_is_a_partition_without_rows() {
    let memtable = holding([row_deletion(3, deletion(20))]);
    assert_eq!(memtable.partition_count(), 1);
    assert_eq!(stream(&memtable, &Slice::ALL, false).len(), 1);
    assert_eq!(live(&memtable, &Slice::ALL, false), []);
}

#[test]
fn a_live_only_read_of_two_memtables_heeds_the_deletions_of_each() {
    let flushing = holding((0..10).map(|row| row_cell(row, V, cell("a", 10))));
    let current = holding([
        row_deletion(0, deletion(20)),
        range(before(2), after(7), deletion(20)),
        row_cell(5, V, cell("b", 30)),
    ]);
    for reversed in [false, true] {
        let mut sources = unfiltered(&flushing);
        sources.push_snapshot(current.snapshot(&key(1)).unwrap());
        let mut live_only = sources.into_live_only(&Slice::ALL, reversed);
        let mut rows: Vec<_> = live_only.by_ref().map(|(row, _)| row).collect();
        if reversed {
            rows.reverse();
        }
        assert_eq!(rows, [at(1), at(5), at(8), at(9)]);
        assert!(live_only.shadowed_count() > 0);
    }
}

#[test]
fn a_deletion_that_outlasts_a_source_is_passed_at_once() {
    let flushing = holding((0..10).map(|row| row_cell(row, V, cell("a", 10))));
    let current = holding([range(before(1), after(8), deletion(20))]);
    for reversed in [false, true] {
        let mut sources = unfiltered(&flushing);
        sources.push_snapshot(current.snapshot(&key(1)).unwrap());
        let mut live_only = sources.into_live_only(&Slice::ALL, reversed);
        assert_eq!(live_only.by_ref().count(), 2);
        assert_eq!(live_only.shadowed_count(), 1, "the one that showed it");
    }
}

#[test]
fn what_replaces_a_collection_deletes_the_older_elements_only() {
    let memtable = holding([
        element(1, "old", cell("a", 340)),
        complex(1, deletion(345)),
        element(1, "new", cell("b", 346)),
        element(1, "late", cell("c", 345)),
    ]);
    let everything = everything(&memtable);
    let cells = &everything.rows.get(&at(1)).unwrap().cells;
    let paths: Vec<_> = cells.iter().map(|(key, _)| key.path.clone()).collect();
    assert_eq!(paths, [Some(path("new"))]);
}

#[test]
fn an_expired_cell_and_a_cell_tombstone_stay_with_what_is_live() {
    let memtable = holding([
        row_cell(1, V, expiring("a", 10, 5, 100)),
        row_cell(2, V, cell("a", 10)),
        row_cell(2, V, tombstone(20, 100)),
    ]);
    assert_eq!(live(&memtable, &Slice::ALL, false), [1, 2]);
    let rows = everything(&memtable).rows;
    assert!(!rows.get(&at(1)).unwrap().is_visible(100));
    let deleted = rows.get(&at(2)).unwrap();
    assert!(deleted.cell(V).unwrap().is_tombstone());
}

#[test]
fn slices_of_single_rows_come_in_the_order_of_the_read() {
    let memtable = holding((0..10).map(|row| row_cell(row, V, cell("a", 10))));
    let asked = [7, 4, 2].map(|row| live(&memtable, &Slice::only(&at(row)), true));
    assert_eq!(asked.concat(), [7, 4, 2]);
}

#[test]
fn a_span_becomes_two_boundaries_when_something_meets_it_and_means_the_same() {
    let span = || range(before(3), after(3), deletion(10));
    let others = [
        row_deletion(3, deletion(20)),
        range(before(3), before(5), deletion(20)),
        range(after(3), before(5), deletion(10)),
        range(before(1), before(3), deletion(10)),
        range(before(1), after(5), deletion(5)),
        range(before(1), after(5), deletion(20)),
        range(before(3), after(3), deletion(20)),
    ];
    for other in others {
        let mut expected = span();
        expected.apply(other.clone());
        assert_eq!(everything(&holding([span(), other.clone()])), expected);
        assert_eq!(everything(&holding([other, span()])), expected);
    }
}
