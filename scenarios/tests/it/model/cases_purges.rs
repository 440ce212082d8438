//! Invariants of forgetting, as worked cases: a second, a grace, and what else there is of the key
//! decide what a compaction may forget. A deletion is forgotten where data with an older time may
//! show that lands after the compaction; it is kept where that is objected to.

use cenotaph::history::StonesSeen;
use cenotaph::plan::{Operation, Overlapping, Purge};

use crate::support::ops::{
    V0, create_with_grace, delete_cell, delete_partition, delete_range, delete_row, edge, expiring,
    from, insert, key, mark_repaired, read, rows, seen_row, stone, update,
};
use crate::support::script::Script;

const BEGIN: u32 = 1_700_000_000;

/// A script that begins at second 0 of these cases, on a table with this grace.
fn script(grace_seconds: u32) -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(grace_seconds));
    script
}

/// Waits until that second of the case.
fn at(script: &mut Script, second: u32) {
    let waited = second - (script.second() - BEGIN);
    script.wait_seconds(u64::from(waited));
}

/// Whether a compaction at second 1,000 may forget this, done at its second: then an older row that
/// lands after it may show.
fn is_forgettable(grace_seconds: u32, what: &Operation, second: u32) -> bool {
    let mut script = script(grace_seconds);
    at(&mut script, second);
    script.ok(what.clone());
    at(&mut script, 1_000);
    script.compacts(grace_seconds, 0);
    script.ok(insert(1, &[(V0, "w")], 5));
    script.shows(read(), rows(&[seen_row(1, &[(V0, "w")])]));
    script.identities().is_empty()
}

fn tombstone() -> Operation {
    delete_cell(1, V0, 10)
}

fn until(ttl_seconds: u32) -> Operation {
    expiring(update(1, &[(V0, "a")], 10), ttl_seconds)
}

#[test]
fn a_second_strictly_before_the_end_of_its_grace_may_go() {
    assert!(is_forgettable(100, &tombstone(), 899), "F1");
    assert!(!is_forgettable(100, &tombstone(), 900), "F2");
    assert!(is_forgettable(0, &tombstone(), 999), "F15");
    assert!(!is_forgettable(0, &tombstone(), 1_000), "F15");
}

/// Whether a row written at that time before a compaction may show after it.
fn shows_from_elsewhere(timestamp: i64) -> bool {
    let mut script = script(100);
    at(&mut script, 899);
    script.ok(delete_row(1, 10));
    script.ok(insert(1, &[(V0, "w")], timestamp));
    at(&mut script, 1_000);
    script.compacts(100, 1);
    script.shows(read(), rows(&[seen_row(1, &[(V0, "w")])]));
    script.identities().is_empty()
}

#[test]
fn older_data_of_the_key_anywhere_keeps_its_deletion_in_force() {
    assert!(shows_from_elsewhere(11), "F3");
    assert!(!shows_from_elsewhere(10), "F3");
    assert!(!shows_from_elsewhere(9), "F3, F5");
}

#[test]
fn other_keys_keep_nothing_in_force() {
    let mut script = script(100);
    at(&mut script, 899);
    script.ok(delete_row(1, 10));
    let mut other = insert(1, &[(V0, "other")], 5);
    if let Operation::Insert { partition, .. } = &mut other {
        *partition = 1;
    }
    script.ok(other);
    at(&mut script, 1_000);
    script.compacts(100, 1);
    script.shows_stones(StonesSeen::default());
    assert!(script.identities().is_empty(), "F4, F21");
}

#[test]
fn each_side_of_a_bound_goes_by_itself() {
    let judged = |second: u32, kept: bool| {
        let mut script = script(100);
        at(&mut script, 800);
        script.ok(delete_range(from(1), from(5), 10));
        at(&mut script, second);
        script.ok(delete_range(from(5), from(9), 11));
        at(&mut script, 1_000);
        script.compacts(100, 1);
        let open = (
            edge(Some(5), false),
            edge(Some(9), true),
            stone(11, BEGIN + second),
        );
        script.shows_stones(StonesSeen {
            ranges: if kept { vec![open] } else { Vec::new() },
            ..StonesSeen::default()
        });
        script.identities().is_empty()
    };
    assert!(judged(950, true), "F6");
    assert!(!judged(950, false), "F6");
    assert!(judged(800, false), "F7");
}

#[test]
fn an_expired_value_goes_by_the_second_of_its_write() {
    assert!(!is_forgettable(100, &until(50), 960), "F8: it lives");
    assert!(is_forgettable(100, &until(50), 830), "F9");
    assert!(!is_forgettable(100, &until(50), 900), "F10");
    assert!(is_forgettable(100, &until(200), 750), "F11");
    assert!(!is_forgettable(100, &until(50), 950), "F12");
}

#[test]
fn an_expired_value_that_is_kept_is_stored_as_a_tombstone_of_its_write() {
    let judged = |second: u32| {
        let mut script = script(100);
        at(&mut script, 900);
        script.ok(until(50));
        at(&mut script, 1_000);
        script.compacts(100, 0);
        let cells = vec![(key(1), V0.into(), stone(10, BEGIN + second))];
        script.shows_stones(StonesSeen {
            cells,
            ..StonesSeen::default()
        });
        script.identities().is_empty()
    };
    assert!(judged(900), "F10");
    assert!(judged(950), "F10: not yet read again");
    assert!(!judged(1_000), "F10");
}

#[test]
fn an_expired_marker_goes_and_a_cell_that_lives_stays() {
    let mut script = script(100);
    at(&mut script, 875);
    script.ok(expiring(insert(1, &[], 10), 5));
    script.ok(update(1, &[(V0, "v")], 11));
    at(&mut script, 1_000);
    script.compacts(100, 1);
    script.shows(read(), rows(&[seen_row(1, &[(V0, "v")])]));
    assert!(script.identities().is_empty(), "F13");
    let mut script = self::script(100);
    at(&mut script, 900);
    script.ok(expiring(insert(1, &[], 10), 50));
    at(&mut script, 1_000);
    script.compacts(100, 0);
    script.shows(read(), rows(&[]));
    assert!(script.identities().is_empty(), "F14");
    script.shows(read(), rows(&[seen_row(1, &[])]));
    assert!(!script.identities().is_empty(), "F14");
}

#[test]
fn a_deletion_goes_and_what_is_later_stays() {
    let mut script = script(100);
    at(&mut script, 800);
    script.ok(delete_row(1, 10));
    script.ok(update(1, &[(V0, "v")], 12));
    at(&mut script, 1_000);
    script.compacts(100, 1);
    script.shows_stones(StonesSeen::default());
    script.shows(read(), rows(&[seen_row(1, &[(V0, "v")])]));
    assert!(script.identities().is_empty(), "F16");
}

#[test]
fn without_a_compaction_nothing_is_forgotten_however_old() {
    let mut script = script(100);
    script.ok(delete_partition(10));
    at(&mut script, 1_000);
    script.shows_stones(StonesSeen::default());
    assert_eq!(
        script.identities(),
        ["stones/stones-survive/deletion"],
        "F18"
    );
}

/// A script on a table with a grace of 100 seconds and these options.
fn script_with(purge: Purge) -> Script {
    let mut script = Script::new();
    script.boot();
    let mut create = create_with_grace(100);
    if let Operation::CreateTable { shape, .. } = &mut create {
        shape.purge = purge;
    }
    script.ok(create);
    script
}

const ONLY_REPAIRED: Purge = Purge {
    only_repaired: true,
    overlapping: Overlapping::None,
};

/// Whether a compaction at second 1,000 may forget a deletion of second 100, with a mark before it at `first`, and
/// one after it at `second`.
fn is_forgotten_between(first: Option<u32>, second: Option<u32>) -> bool {
    let mut script = script_with(ONLY_REPAIRED);
    if let Some(first) = first {
        at(&mut script, first);
        script.ok(mark_repaired());
    }
    at(&mut script, 100);
    script.ok(delete_row(1, 10));
    at(&mut script, 1_000);
    script.compacts(100, 1);
    if let Some(second) = second {
        at(&mut script, second);
        script.ok(mark_repaired());
    }
    script.shows_stones(StonesSeen::default());
    script.identities().is_empty()
}

#[test]
fn where_only_repaired_tombstones_go_the_others_stay() {
    assert!(!is_forgotten_between(None, None), "F17");
    assert!(!is_forgotten_between(Some(50), None), "F17: marked before");
    assert!(
        !is_forgotten_between(None, Some(1_001)),
        "F17: marked too late"
    );
    let mut script = script_with(ONLY_REPAIRED);
    script.ok(delete_row(1, 10));
    at(&mut script, 500);
    script.ok(mark_repaired());
    at(&mut script, 1_000);
    script.compacts(100, 1);
    script.shows_stones(StonesSeen::default());
    assert!(script.identities().is_empty(), "F17: repaired");
}

#[test]
fn a_compaction_that_says_it_purged_what_is_not_repaired_is_objected_to() {
    let mut script = script_with(ONLY_REPAIRED);
    script.ok(delete_row(1, 10));
    at(&mut script, 1_000);
    script.compacts(100, 1);
    assert!(!script.identities().is_empty(), "F17");
    let mut script = script_with(ONLY_REPAIRED);
    script.ok(delete_row(1, 10));
    at(&mut script, 1_000);
    script.compacts(100, 0);
    script.shows_stones(StonesSeen {
        rows: vec![(key(1), stone(10, BEGIN))],
        ..StonesSeen::default()
    });
    assert!(script.identities().is_empty(), "F17: kept");
}

#[test]
fn a_file_that_goes_unread_takes_what_a_merge_would_take() {
    // Younger than all of it: whatever goes, nothing comes back.
    let judged = |timestamp: i64, shows: bool| {
        let mut script = script(100);
        at(&mut script, 850);
        script.ok(delete_row(1, 20));
        script.ok(insert(1, &[(V0, "v")], timestamp));
        at(&mut script, 1_000);
        script.compacts(100, 1);
        script.shows_stones(StonesSeen::default());
        let row = seen_row(1, &[(V0, "v")]);
        let seen = if shows { vec![row] } else { Vec::new() };
        script.shows(read(), rows(&seen));
        script.identities().is_empty()
    };
    assert!(judged(21, true), "F19");
    assert!(!judged(21, false), "F19");
    assert!(judged(20, false), "F19: both went");
    assert!(!judged(20, true), "F19: dropped above what it covers");
}

#[test]
fn what_a_tombstone_elsewhere_took_stays_dead_when_that_goes() {
    let judged = |shows: bool| {
        let mut script = script_with(Purge {
            only_repaired: true,
            overlapping: Overlapping::Row,
        });
        script.ok(insert(1, &[(V0, "v")], 5));
        script.ok(mark_repaired());
        script.ok(delete_row(1, 10));
        at(&mut script, 1_000);
        script.compacts(100, 0);
        script.shows_stones(StonesSeen {
            rows: vec![(key(1), stone(10, BEGIN))],
            ..StonesSeen::default()
        });
        script.ok(mark_repaired());
        script.compacts(100, 1);
        script.shows_stones(StonesSeen::default());
        let row = seen_row(1, &[(V0, "v")]);
        let seen = if shows { vec![row] } else { Vec::new() };
        script.shows(read(), rows(&seen));
        script.identities().is_empty()
    };
    assert!(judged(false), "F20");
    assert!(!judged(true), "F20: it came back");
}
