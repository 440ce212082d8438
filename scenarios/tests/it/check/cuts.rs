//! Invariants of the judges around truncations and dropped columns.

use cenotaph::history::{Answer, Outcome, PartitionSeen, Refusal};
use cenotaph::plan::Operation;

use crate::support::ops::{
    S0, V0, V1, add, create, delete_row, drop_column, insert, read, rows, seen_row, t0_seen,
    truncate, update,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];

fn script() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script
}

fn shown(value: &str) -> PartitionSeen {
    rows(&[seen_row(1, &[(V0, value)])])
}

/// The write or read, of another partition.
fn in_partition(of: i32, mut what: Operation) -> Operation {
    match &mut what {
        Operation::Insert { partition, .. } | Operation::Read { partition, .. } => *partition = of,
        other => panic!("{other} is of no partition here"),
    }
    what
}

#[test]
fn nothing_from_before_a_truncation_shows_after_it() {
    let judged = |crashes: bool, seen| {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a")], 5));
        script.ok(truncate());
        if crashes {
            script.power_cycle();
        }
        script.shows(read(), seen);
        script.identities()
    };
    for crashes in [false, true] {
        assert_eq!(judged(crashes, rows(&[])), NOTHING);
        let back = ["resurrection/truncated-stays-gone/operation"];
        assert_eq!(judged(crashes, shown("a")), back);
    }
}

#[test]
fn deletions_from_before_a_truncation_are_gone_too() {
    let judged = |seen| {
        let mut script = script();
        script.ok(delete_row(1, 10));
        script.ok(truncate());
        script.ok(insert(1, &[(V0, "a")], 5));
        script.shows(read(), seen);
        script.identities()
    };
    assert_eq!(judged(shown("a")), NOTHING);
    assert_eq!(judged(rows(&[])), ["answers/acknowledged-shows/row"]);
}

#[test]
fn a_truncation_without_an_answer_may_have_been_or_not() {
    for seen in [rows(&[]), shown("a")] {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a")], 5));
        script.timeout(truncate());
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
    let mut script = script();
    script.ok(insert(1, &[(V0, "a")], 5));
    script.timeout(truncate());
    script.shows(read(), rows(&[]));
    script.shows(read(), shown("a"));
    let back = ["resurrection/lost-stays-lost/operation"];
    assert_eq!(script.identities(), back);
}

#[test]
fn a_truncation_without_an_answer_took_all_or_nothing() {
    let judged = |first: PartitionSeen, second: PartitionSeen| {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a")], 5));
        script.ok(in_partition(1, insert(1, &[(V0, "b")], 5)));
        script.timeout(truncate());
        script.power_cycle();
        script.shows(read(), first);
        script.shows(in_partition(1, read()), second);
        script.identities()
    };
    assert_eq!(judged(shown("a"), shown("b")), NOTHING);
    assert_eq!(judged(rows(&[]), rows(&[])), NOTHING);
    let lost = ["durability/acknowledged-survives/row"];
    assert_eq!(judged(shown("a"), rows(&[])), lost);
    let back = ["resurrection/truncated-stays-gone/operation"];
    assert_eq!(judged(rows(&[]), shown("b")), back);
}

#[test]
fn a_write_that_overlaps_a_truncation_may_be_of_before_or_after() {
    for seen in [rows(&[]), shown("a")] {
        let mut script = script();
        let write = script.begin(2, insert(1, &[(V0, "a")], 5));
        script.ok(truncate());
        script.end(write, Outcome::Ok(Answer::Done));
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
}

#[test]
fn cells_up_to_the_drop_of_their_column_stay_hidden() {
    let judged = |timestamp: i64, seen| {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a"), (V1, "b")], timestamp));
        script.ok(drop_column(V1, 100));
        script.shows(read(), rows(&[seen_row(1, &[(V0, "a")])]));
        script.ok(add(V1));
        script.shows(read(), seen);
        script.identities()
    };
    let whole = || rows(&[seen_row(1, &[(V0, "a"), (V1, "b")])]);
    assert_eq!(judged(100, shown("a")), NOTHING);
    assert_eq!(
        judged(100, whole()),
        ["resurrection/dropped-stays-gone/column"]
    );
    assert_eq!(judged(101, whole()), NOTHING);
    assert_eq!(judged(101, shown("a")), ["answers/acknowledged-shows/row"]);
}

#[test]
fn a_dropped_column_does_not_show_whatever_is_in_it() {
    let mut script = script();
    script.ok(update(1, &[(V1, "b")], 101));
    script.ok(drop_column(V1, 100));
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), NOTHING);
    script.shows(read(), rows(&[seen_row(1, &[(V1, "b")])]));
    assert_eq!(script.identities(), ["schema/columns-stay-gone/column"]);
}

#[test]
fn a_row_whose_only_column_is_dropped_shows_by_its_marker() {
    let judged = |what, seen| {
        let mut script = script();
        script.ok(what);
        script.ok(drop_column(V1, 100));
        script.shows(read(), seen);
        script.identities()
    };
    let bare = || rows(&[seen_row(1, &[])]);
    assert_eq!(judged(insert(1, &[(V1, "b")], 5), bare()), NOTHING);
    let missed = ["answers/acknowledged-shows/row"];
    assert_eq!(judged(insert(1, &[(V1, "b")], 5), rows(&[])), missed);
    assert_eq!(judged(update(1, &[(V1, "b")], 5), rows(&[])), NOTHING);
    let ghost = ["answers/rows-have-content/row"];
    assert_eq!(judged(update(1, &[(V1, "b")], 5), bare()), ghost);
}

#[test]
fn a_drop_without_an_answer_may_have_been_or_not() {
    let whole = || rows(&[seen_row(1, &[(V0, "a"), (V1, "b")])]);
    for seen in [shown("a"), whole()] {
        let mut script = script();
        script.ok(insert(1, &[(V0, "a"), (V1, "b")], 5));
        script.timeout(drop_column(V1, 100));
        script.shows(read(), seen);
        assert_eq!(script.identities(), NOTHING);
    }
    let mut script = script();
    script.timeout(drop_column(V1, 100));
    script.power_cycle();
    script.ok(insert(1, &[(V0, "a"), (V1, "b")], 5));
    script.shows(read(), shown("a"));
    assert_eq!(
        script.identities(),
        ["answers/acknowledged-shows/row"],
        "the write found the column there"
    );
}

#[test]
fn the_schema_has_a_column_until_it_is_dropped() {
    let mut script = script();
    let whole = [S0, V0, V1];
    script.refused(add(V1), Refusal::ColumnExists);
    script.describes(&[t0_seen(&whole)]);
    script.ok(drop_column(V1, 100));
    script.power_cycle();
    script.describes(&[t0_seen(&[S0, V0])]);
    script.refused(update(1, &[(V1, "b")], 200), Refusal::NoSuchColumn);
    script.refused(drop_column(V1, 200), Refusal::NoSuchColumn);
    assert_eq!(script.identities(), NOTHING);
    script.describes(&[t0_seen(&whole)]);
    assert_eq!(script.identities(), ["schema/columns-stay-gone/column"]);
}

#[test]
fn a_column_that_is_there_may_not_be_refused() {
    let missing = ["schema/columns-survive/column"];
    let mut script = self::script();
    script.refused(drop_column(V1, 100), Refusal::NoSuchColumn);
    assert_eq!(script.identities(), missing);
    let mut script = self::script();
    script.ok(drop_column(V1, 100));
    script.ok(add(V1));
    script.power_cycle();
    script.describes(&[t0_seen(&[S0, V0])]);
    assert_eq!(script.identities(), missing);
    let mut script = self::script();
    script.ok(drop_column(V1, 100));
    script.refused(add(V1), Refusal::ColumnExists);
    assert_eq!(script.identities(), ["schema/columns-stay-gone/column"]);
    let mut script = self::script();
    script.ok(drop_column(V1, 100));
    script.ok(drop_column(V1, 101));
    assert_eq!(script.identities(), ["schema/columns-stay-gone/column"]);
}
