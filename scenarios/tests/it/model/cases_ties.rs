//! Invariants of ties, as worked cases: where two deletions or two times to live differ in their seconds
//! alone, reads show the same, and what is stored tells which one is kept.

use cenotaph::history::{Refusal, StonesSeen};
use cenotaph::plan::{Operation, Order, ScalarType, Slice};

use super::cases::{case, timed};
use crate::support::ops::{
    T0, V0, V1, create_with_grace, delete_partition, delete_range, delete_row, drop_column, edge,
    expiring, from, insert, key, read, read_with, shape, stone, update,
};
use crate::support::script::Script;

/// The second at which scripts begin.
const BEGIN: u32 = 1_700_000_000;
const NOTHING: [&str; 0] = [];
const LOST: [&str; 1] = ["stones/stones-survive/deletion"];
const INVENTED: [&str; 1] = ["stones/stones-are-written/deletion"];

fn at(script: &mut Script, second: u32) {
    let waited = second - (script.second() - BEGIN);
    script.wait_seconds(u64::from(waited));
}

/// What the judges say of these stones, stored of deletions at their seconds.
fn judged(operations: &[(Operation, u32)], seen: StonesSeen) -> Vec<String> {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(1_000));
    for (what, second) in operations {
        at(&mut script, *second);
        script.ok(what.clone());
    }
    script.shows_stones(seen);
    script.identities()
}

#[test]
fn of_two_partition_deletions_of_one_time_the_later_second_is_stored() {
    let both = [(delete_partition(10), 5), (delete_partition(10), 6)];
    let stored = |second| StonesSeen {
        partition: Some(stone(10, BEGIN + second)),
        ..StonesSeen::default()
    };
    assert_eq!(judged(&both, stored(6)), NOTHING, "C8");
    assert_eq!(judged(&both, stored(5)), LOST, "C8");
    assert_eq!(judged(&both, stored(7)), INVENTED, "C8");
    let with_row = [both[0].clone(), both[1].clone(), (insert(1, &[], 10), 7)];
    timed("C8", &with_row).shows("no rows");
}

#[test]
fn a_row_deletion_that_is_younger_by_its_second_is_stored_beside_the_partitions() {
    let both = [(delete_partition(10), 5), (delete_row(1, 10), 6)];
    let stored = |rows| StonesSeen {
        partition: Some(stone(10, BEGIN + 5)),
        rows,
        ..StonesSeen::default()
    };
    let row = vec![(key(1), stone(10, BEGIN + 6))];
    assert_eq!(judged(&both, stored(row)), NOTHING, "C5");
    assert_eq!(judged(&both, stored(Vec::new())), LOST, "C5");
    // A read tells no difference.
    let with_row = [both[0].clone(), both[1].clone(), (insert(1, &[], 10), 7)];
    timed("C5", &with_row).shows("no rows");
    timed(
        "C5",
        &[both[0].clone(), both[1].clone(), (insert(1, &[], 11), 7)],
    )
    .shows("(1:)");
}

#[test]
fn of_two_ranges_of_one_time_the_later_second_is_stored() {
    let range = || delete_range(from(1), from(5), 10);
    let both = [(range(), 5), (range(), 9)];
    let stored = |second| StonesSeen {
        ranges: vec![(
            edge(Some(1), false),
            edge(Some(5), true),
            stone(10, BEGIN + second),
        )],
        ..StonesSeen::default()
    };
    assert_eq!(judged(&both, stored(9)), NOTHING, "E13");
    assert_eq!(judged(&both, stored(5)), LOST, "E13");
}

#[test]
fn overlapping_ranges_hide_the_same_rows_read_backwards() {
    let rows = (0..=9).map(|row| insert(row, &[], if row == 2 { 11 } else { 10 }));
    let low = delete_range(from(1), from(5), 10);
    let high = delete_range(from(3), from(8), 12);
    let all: Vec<Operation> = rows.chain([low, high]).collect();
    // Too many for all orders of landing: each half of them first.
    for all in [all.clone(), all.into_iter().rev().collect::<Vec<_>>()] {
        let landed: Vec<_> = all
            .iter()
            .map(|what| cenotaph::model::Landed::at(what, 0))
            .collect();
        let shows = |order| {
            let (what, shape) = (read_with(Slice::default(), order, None), shape());
            let request = cenotaph::model::ReadRequest::of(&what, &shape, 0).unwrap();
            cenotaph::model::evaluate(&landed, &request).to_string()
        };
        assert_eq!(shows(Some(Order::Desc)), "(9:) (2:) (0:)", "E16");
        assert_eq!(shows(Some(Order::Asc)), "(0:) (2:) (9:)", "E5");
    }
}

/// Of two times to live that end together the shorter one is of the later write.
#[test]
fn of_two_values_that_end_together_a_read_shows_either_until_then() {
    let until = |what, ttl_seconds: u32| (expiring(what, ttl_seconds), 200 - ttl_seconds);
    let a = || update(1, &[(V0, "a")], 10);
    timed("A12", &[until(a(), 5), until(a(), 7)])
        .shows_at(199, "(1: v0='a')")
        .shows_at(200, "no rows");
    timed(
        "B14",
        &[until(insert(1, &[], 10), 5), until(insert(1, &[], 10), 9)],
    )
    .shows_at(199, "(1:)")
    .shows_at(200, "no rows");
    // Once it is over it is a stone of that end, and once a compaction has found it so, of the write: the
    // seconds of both are possible, for no read tells which one was kept.
    let judged = |compacts: bool, second: u32| {
        let mut script = Script::new();
        script.boot();
        script.ok(create_with_grace(1_000));
        for (what, second) in [until(a(), 7), until(a(), 5)] {
            at(&mut script, second);
            script.ok(what);
        }
        at(&mut script, 210);
        if compacts {
            script.compacts(1_000, 0);
        }
        let cells = vec![(key(1), V0.into(), stone(10, BEGIN + second))];
        script.shows_stones(StonesSeen {
            cells,
            ..StonesSeen::default()
        });
        script.identities()
    };
    assert_eq!(judged(false, 200), NOTHING, "A12");
    assert_eq!(judged(false, 195), INVENTED, "A12");
    assert_eq!(judged(true, 195), NOTHING, "A12");
    assert_eq!(judged(true, 194), INVENTED, "A12");
}

#[test]
fn a_dropped_column_does_not_come_back_as_another() {
    let add = |scalar_type: ScalarType| Operation::AddColumn {
        table: T0,
        column: V1,
        column_type: scalar_type.into(),
    };
    let dropped = || {
        let mut script = Script::new();
        script.boot();
        script.ok(create_with_grace(1_000));
        script.ok(drop_column(V1, 100));
        script
    };
    let mut script = dropped();
    script.ok(add(ScalarType::BigInt));
    assert_eq!(script.identities(), ["schema/types-stay/column"], "G5");
    let mut script = dropped();
    script.refused(
        add(ScalarType::BigInt),
        Refusal::Other("another type".to_owned()),
    );
    assert_eq!(script.identities(), NOTHING, "G5");
    // The refused one has not brought it back, and the right one does.
    script.refused(update(1, &[(V1, "b")], 200), Refusal::NoSuchColumn);
    script.ok(add(ScalarType::Text));
    script.ok(update(1, &[(V1, "c")], 300));
    script.shows(
        read(),
        crate::support::ops::rows(&[crate::support::ops::seen_row(1, &[(V1, "c")])]),
    );
    assert_eq!(script.identities(), NOTHING, "G5");
    case("G1", &[update(1, &[(V1, "b")], 101), drop_column(V1, 100)]).shows("(1: v1='b')");
}
