//! Invariants of the judges where compactions forget: a forgotten deletion excuses what lands after
//! it was forgotten, and nothing else.

use cenotaph::history::{Answer, CompactionSeen, Outcome, PartitionSeen};
use cenotaph::plan::Operation;

use crate::support::ops::{
    V0, V1, compact, create_with_grace, delete_cell, delete_partition, delete_range, delete_row,
    expiring, from, insert, read, rows, seen_row, update,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const DELETED: [&str; 1] = ["resurrection/deleted-stays-deleted/row"];

fn shown(value: &str) -> PartitionSeen {
    rows(&[seen_row(1, &[(V0, value)])])
}

fn old() -> Operation {
    insert(1, &[(V0, "a")], 5)
}

fn script(grace_seconds: u32) -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create_with_grace(grace_seconds));
    script
}

/// A deletion, a wait, a compaction, and a write with an older time.
fn late(
    deletion: &Operation,
    grace_seconds: u32,
    waited: u64,
    seen: &[PartitionSeen],
) -> Vec<String> {
    let mut script = script(grace_seconds);
    script.ok(deletion.clone());
    script.wait_seconds(waited);
    script.compacts(grace_seconds, 0);
    script.ok(old());
    for seen in seen {
        script.shows(read(), seen.clone());
    }
    script.identities()
}

fn deletions() -> [Operation; 3] {
    [
        delete_row(1, 10),
        delete_range(from(0), from(3), 10),
        delete_partition(10),
    ]
}

#[test]
fn what_lands_after_its_deletion_was_forgotten_may_show_or_not() {
    for deletion in deletions() {
        assert_eq!(late(&deletion, 3, 5, &[shown("a")]), NOTHING);
        assert_eq!(late(&deletion, 3, 5, &[rows(&[])]), NOTHING);
    }
}

#[test]
fn a_deletion_whose_grace_is_not_over_is_not_forgotten() {
    for deletion in deletions() {
        // Its second is the first that is kept: a grace ends strictly before.
        assert_eq!(late(&deletion, 3, 3, &[shown("a")]), DELETED);
        assert_eq!(late(&deletion, 3, 4, &[shown("a")]), NOTHING);
    }
}

#[test]
fn what_did_not_show_once_it_had_landed_stays_dead() {
    for deletion in deletions() {
        let seen = [rows(&[]), shown("a")];
        assert_eq!(late(&deletion, 3, 5, &seen), DELETED);
    }
}

#[test]
fn what_a_compaction_has_decided_to_forget_hides_until_it_ends() {
    let judged = |ends_first: bool| {
        let mut script = script(0);
        script.ok(delete_row(1, 10));
        script.wait_seconds(2);
        let compaction = script.begin(2, compact());
        let now_seconds = script.second();
        script.ok(old());
        let seen = CompactionSeen {
            now_seconds,
            gc_before_seconds: now_seconds,
            purged_count: 1,
            ..CompactionSeen::default()
        };
        let outcome = Outcome::Ok(Answer::Compacted(seen));
        if ends_first {
            script.end(compaction, outcome.clone());
        }
        script.shows(read(), rows(&[]));
        if !ends_first {
            script.end(compaction, outcome);
        }
        script.shows(read(), shown("a"));
        script.identities()
    };
    assert_eq!(judged(false), NOTHING);
    assert_eq!(judged(true), DELETED);
}

#[test]
fn what_a_node_forgets_by_itself_may_hide_until_the_node_ends() {
    let judged = |crashes: bool| {
        let mut script = script(1);
        script.knobs.engine.compaction_sstables_min = 4;
        script.ok(delete_row(1, 10));
        script.wait_seconds(3);
        script.ok(old());
        script.shows(read(), rows(&[]));
        if crashes {
            script.power_cycle();
            script.shows(read(), rows(&[]));
        }
        script.shows(read(), shown("a"));
        script.identities()
    };
    assert_eq!(judged(false), NOTHING);
    assert_eq!(judged(true), DELETED);
}

#[test]
fn what_landed_before_the_compaction_stays_dead() {
    for deletion in deletions() {
        for first in [false, true] {
            let mut script = script(0);
            if first {
                script.ok(old());
            }
            script.ok(deletion.clone());
            if !first {
                script.ok(old());
            }
            script.wait_seconds(2);
            script.compacts(0, 1);
            script.shows(read(), shown("a"));
            assert_eq!(script.identities(), DELETED);
        }
    }
}

#[test]
fn what_was_sent_before_a_crash_landed_before_every_later_compaction() {
    let mut script = script(0);
    script.timeout(old());
    script.ok(delete_row(1, 10));
    script.wait_seconds(2);
    script.power_cycle();
    script.compacts(0, 1);
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), DELETED);
}

#[test]
fn what_overlaps_a_compaction_may_be_late() {
    let mut script = script(0);
    script.ok(delete_row(1, 10));
    script.wait_seconds(2);
    let write = script.begin(2, old());
    script.compacts(0, 1);
    script.end(write, Outcome::Ok(Answer::Done));
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_compaction_without_an_answer_may_have_run_until_its_node_ended() {
    let judged = |crashes: bool| {
        let mut script = script(0);
        script.ok(delete_row(1, 10));
        script.timeout(compact());
        if crashes {
            script.power_cycle();
        }
        script.wait_seconds(2);
        script.ok(old());
        script.shows(read(), shown("a"));
        script.identities()
    };
    assert_eq!(judged(false), NOTHING);
    assert_eq!(judged(true), DELETED);
}

#[test]
fn a_node_that_compacts_by_itself_may_forget_at_any_time() {
    let judged = |sstables_min: u32| {
        let mut script = script(1);
        script.knobs.engine.compaction_sstables_min = sstables_min;
        script.ok(delete_row(1, 10));
        script.wait_seconds(3);
        script.ok(old());
        script.shows(read(), shown("a"));
        script.identities()
    };
    assert_eq!(judged(4), NOTHING);
    assert_eq!(judged(0), DELETED);
}

#[test]
fn what_a_forgotten_deletion_had_made_dead_hides_nothing_late() {
    let judged = |seen| {
        let mut script = script(0);
        script.ok(update(1, &[(V0, "z")], 7));
        script.ok(delete_row(1, 10));
        script.wait_seconds(2);
        script.compacts(0, 1);
        script.ok(old());
        script.shows(read(), seen);
        script.identities()
    };
    assert_eq!(judged(shown("a")), NOTHING);
    assert_eq!(judged(shown("z")), DELETED);
}

#[test]
fn a_later_value_hides_what_is_late() {
    let mut script = script(0);
    script.ok(delete_row(1, 10));
    script.wait_seconds(2);
    script.compacts(0, 1);
    script.ok(update(1, &[(V0, "z")], 11));
    script.ok(old());
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), ["answers/newest-wins/row"]);
}

#[test]
fn an_expired_value_may_be_forgotten_with_what_it_hid() {
    let judged = |grace_seconds: u32, seen| {
        let mut script = script(grace_seconds);
        script.ok(update(1, &[(V0, "z")], 4));
        script.ok(expiring(update(1, &[(V0, "y")], 10), 2));
        script.wait_seconds(9);
        script.compacts(grace_seconds, 0);
        script.ok(old());
        script.shows(read(), seen);
        script.identities()
    };
    let bare = || rows(&[seen_row(1, &[])]);
    assert_eq!(judged(0, shown("a")), NOTHING);
    assert_eq!(judged(0, bare()), NOTHING);
    assert_eq!(judged(100, bare()), NOTHING);
    assert_eq!(judged(100, shown("a")), ["answers/newest-wins/row"]);
    assert_eq!(judged(0, shown("z")), ["answers/newest-wins/row"]);
}

#[test]
fn each_cell_of_a_late_write_is_excused_by_itself() {
    let mut script = script(3);
    script.ok(delete_cell(1, V0, 10));
    script.wait_seconds(5);
    script.ok(delete_cell(1, V1, 10));
    script.compacts(3, 1);
    script.ok(update(1, &[(V0, "a"), (V1, "b")], 5));
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), NOTHING);
    script.shows(read(), rows(&[seen_row(1, &[(V0, "a"), (V1, "b")])]));
    assert_eq!(script.identities(), DELETED);
}

#[test]
fn a_compaction_that_forgets_too_early_tells_so_itself() {
    let judged = |grace_seconds: u32, purged_count: u64| {
        let mut script = script(2);
        script.ok(delete_row(1, 10));
        script.wait_seconds(2);
        script.compacts(grace_seconds, purged_count);
        script.identities()
    };
    assert_eq!(judged(2, 0), NOTHING);
    assert_eq!(judged(2, 1), ["compaction/grace-is-kept/deletion"]);
    assert_eq!(judged(1, 0), ["compaction/grace-is-counted/deletion"]);
}

#[test]
fn a_compaction_may_forget_what_outlived_its_grace() {
    let mut script = script(2);
    script.ok(delete_row(1, 10));
    script.wait_seconds(3);
    script.compacts(2, 1);
    assert_eq!(script.identities(), NOTHING);
}
