//! Invariants of the judge of pairs: two reads with nothing between them show the same, whichever way
//! they go; what may have come between them excuses a difference.

use cenotaph::history::PartitionSeen;
use cenotaph::plan::{CrashKind, Operation, Order, Slice};
use cenotaph_sim::time::Instant;

use crate::support::ops::{
    V0, create_with_grace, delete_row, drop_table, insert, read, read_with, rows, seen_row,
};
use crate::support::script::Script;

/// Something that happens in a history.
type Happens = fn(&mut Script);

const WRONG: &str = "answers/reads-agree/row";

fn back() -> Operation {
    read_with(Slice::default(), Some(Order::Desc), None)
}

fn both() -> PartitionSeen {
    rows(&[seen_row(1, &[(V0, "a")]), seen_row(2, &[(V0, "b")])])
}

fn reversed() -> PartitionSeen {
    rows(&[seen_row(2, &[(V0, "b")]), seen_row(1, &[(V0, "a")])])
}

fn second_alone() -> PartitionSeen {
    rows(&[seen_row(2, &[(V0, "b")])])
}

/// A table with two rows. What lies below a deletion that was forgotten may show or not: so says the
/// model, of each read alone.
fn written() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(0));
    script.ok(insert(2, &[(V0, "b")], 5));
    script.ok(delete_row(1, 6));
    script.wait_seconds(2);
    script.compacts(0, 1);
    script.ok(insert(1, &[(V0, "a")], 5));
    script
}

fn objects(script: &Script) -> bool {
    script.identities().iter().any(|identity| identity == WRONG)
}

#[test]
fn two_reads_that_differ_with_nothing_between_them_are_objected_to() {
    for way in [back(), read()] {
        for (read, seen) in [(read(), both()), (way.clone(), second_alone())] {
            let mut alone = written();
            alone.shows(read, seen);
            let nothing: [&str; 0] = [];
            assert_eq!(alone.identities(), nothing);
        }
        let mut script = written();
        script.shows(read(), both());
        script.shows(way, second_alone());
        assert_eq!(script.identities(), [WRONG]);
    }
}

#[test]
fn a_read_that_is_wrong_alone_is_told_once() {
    let mut script = written();
    script.shows(read(), second_alone());
    script.shows(back(), reversed());
    let wrong = ["resurrection/deleted-stays-deleted/row"];
    assert_eq!(script.identities(), wrong);
}

#[test]
fn two_reads_that_agree_are_not_objected_to() {
    let mut script = written();
    script.shows(read(), both());
    script.shows(back(), reversed());
    assert!(!objects(&script), "{:?}", script.identities());
}

#[test]
fn what_may_have_come_between_excuses_a_difference() {
    let between: [(&str, Happens); 7] = [
        ("a write", |script| {
            script.ok(insert(1, &[(V0, "c")], 5));
        }),
        ("a write that nobody knows", |script| {
            script.timeout(insert(1, &[(V0, "c")], 5));
        }),
        ("a compaction", |script| {
            script.compacts(0, 0);
        }),
        ("a drop", |script| {
            script.ok(drop_table());
        }),
        ("a second", |script| script.wait_seconds(1)),
        ("another incarnation", |script| {
            script.crash(CrashKind::Kill);
            script.boot();
        }),
        ("a jump of the clock", |script| {
            let at: Instant = script.now();
            script.facts.clock.jumps.push((at, 0));
        }),
    ];
    for (what, happens) in between {
        let mut script = written();
        script.shows(read(), both());
        happens(&mut script);
        script.shows(back(), second_alone());
        assert!(!objects(&script), "{what}: {:?}", script.identities());
    }
}

#[test]
fn a_write_under_way_excuses_a_difference_and_one_of_another_partition_does_not() {
    let elsewhere = |mut write: Operation| {
        if let Operation::Insert { partition, .. } = &mut write {
            *partition = 1;
        }
        write
    };
    for (write, excuses) in [
        (insert(3, &[(V0, "c")], 5), true),
        (elsewhere(insert(3, &[(V0, "c")], 5)), false),
    ] {
        let mut script = written();
        script.begin(2, write);
        script.shows(read(), both());
        script.shows(back(), second_alone());
        assert_eq!(objects(&script), !excuses, "{:?}", script.identities());
    }
}

#[test]
fn a_limit_makes_reads_another_pair() {
    let mut script = written();
    script.shows(read(), both());
    let limited = read_with(Slice::default(), Some(Order::Desc), Some(1));
    script.shows(limited, second_alone());
    assert!(!objects(&script), "{:?}", script.identities());
}
