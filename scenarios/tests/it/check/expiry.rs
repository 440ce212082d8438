//! Invariants of the judges where clocks matter: what expires is dead from its second on, whatever
//! the node's clock does, and the node tells the second that its clock shows.

use cenotaph::history::Outcome;
use cenotaph_sim::time::Instant;

use crate::support::ops::{
    V0, V1, create, delete_cell, expiring, insert, read, rows, seen_row, update,
};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const EXPIRED: [&str; 1] = ["resurrection/expired-stays-dead/row"];
const MISSED: [&str; 1] = ["answers/acknowledged-shows/row"];

fn script() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script
}

fn shown(value: &str) -> cenotaph::history::PartitionSeen {
    rows(&[seen_row(1, &[(V0, value)])])
}

/// What the judges say of a write with 3 s to live, read after so many.
fn judged(waited: u64, seen: cenotaph::history::PartitionSeen) -> Vec<String> {
    let mut script = script();
    script.ok(expiring(insert(1, &[(V0, "a")], 5), 3));
    script.wait_seconds(waited);
    script.shows(read(), seen);
    script.identities()
}

#[test]
fn a_value_is_dead_from_the_second_in_which_it_expires() {
    assert_eq!(judged(2, shown("a")), NOTHING);
    assert_eq!(judged(2, rows(&[])), MISSED);
    assert_eq!(judged(3, rows(&[])), NOTHING);
    assert_eq!(judged(3, shown("a")), EXPIRED);
    let bare = rows(&[seen_row(1, &[])]);
    assert_eq!(judged(3, bare), ["answers/rows-have-content/row"]);
}

#[test]
fn an_expired_value_hides_what_is_older() {
    let judged = |seen| {
        let mut script = script();
        script.ok(insert(1, &[(V0, "z"), (V1, "y")], 4));
        script.ok(expiring(update(1, &[(V0, "a")], 5), 3));
        script.wait_seconds(9);
        script.shows(read(), seen);
        script.identities()
    };
    assert_eq!(judged(rows(&[seen_row(1, &[(V1, "y")])])), NOTHING);
    let back = rows(&[seen_row(1, &[(V0, "z"), (V1, "y")])]);
    assert_eq!(judged(back), ["answers/newest-wins/row"]);
}

#[test]
fn a_write_that_nobody_answered_expires_at_one_of_several_seconds() {
    let judged = |waited: u64, seen: &[cenotaph::history::PartitionSeen]| {
        let mut script = script();
        let write = script.begin(2, expiring(insert(1, &[(V0, "a")], 5), 3));
        script.wait_seconds(10);
        let why = "timeout".to_owned();
        script.end(write, Outcome::Unknown { why });
        script.wait_seconds(waited);
        script.power_cycle();
        for seen in seen {
            script.shows(read(), seen.clone());
        }
        script.identities()
    };
    assert_eq!(judged(2, &[shown("a")]), NOTHING);
    assert_eq!(judged(2, &[rows(&[])]), NOTHING);
    // The incarnation that it was sent to lived 12 seconds longer.
    assert_eq!(judged(2, &[shown("a"), rows(&[])]), MISSED);
    let lost = ["resurrection/expired-stays-dead/row"];
    assert_eq!(judged(2, &[rows(&[]), shown("a")]), lost);
}

#[test]
fn what_showed_lives_as_long_as_it_then_must() {
    let mut script = script();
    let write = script.begin(2, expiring(insert(1, &[(V0, "a")], 5), 20));
    script.wait_seconds(10);
    let why = "timeout".to_owned();
    script.end(write, Outcome::Unknown { why });
    script.shows(read(), shown("a"));
    // It began at second 0, and was done at second 10 at the latest.
    script.wait_seconds(7);
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), MISSED);
}

#[test]
fn a_clock_that_goes_back_brings_back_what_had_expired() {
    let mut script = script();
    script.ok(expiring(insert(1, &[(V0, "a")], 5), 3));
    script.wait_seconds(5);
    script.shows(read(), rows(&[]));
    let at = script.now();
    script.facts.clock.jumps.push((at, -4_000_000));
    script.shows(read(), shown("a"));
    assert_eq!(script.identities(), NOTHING);
    script.compacts(864_000, 0);
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), MISSED);
}

#[test]
fn a_compaction_makes_what_had_expired_dead_for_every_clock() {
    let mut script = script();
    script.ok(expiring(insert(1, &[(V0, "a"), (V1, "b")], 5), 3));
    script.wait_seconds(5);
    script.compacts(864_000, 0);
    let at = script.now();
    script.facts.clock.jumps.push((at, -4_000_000));
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), MISSED, "a marker stays what it is");
}

#[test]
fn a_value_that_a_compaction_found_expired_beats_one_that_ends_later() {
    let judged = |compacts: bool, seen| {
        let mut script = script();
        script.ok(expiring(update(1, &[(V0, "a")], 5), 3));
        script.wait_seconds(5);
        if compacts {
            script.compacts(864_000, 0);
        }
        script.ok(expiring(update(1, &[(V0, "b")], 5), 30));
        script.shows(read(), seen);
        script.identities()
    };
    assert_eq!(judged(false, shown("b")), NOTHING);
    assert_eq!(judged(false, rows(&[])), MISSED);
    assert_eq!(judged(true, shown("b")), NOTHING);
    assert_eq!(judged(true, rows(&[])), NOTHING);
}

#[test]
fn a_tombstone_hides_what_would_expire() {
    let mut script = script();
    script.ok(expiring(update(1, &[(V0, "a")], 5), 30));
    script.ok(delete_cell(1, V0, 5));
    script.shows(read(), shown("a"));
    assert_eq!(
        script.identities(),
        ["resurrection/deleted-stays-deleted/row"]
    );
}

#[test]
fn a_second_that_the_clock_did_not_show_is_objected_to() {
    let told = |second: u32| {
        let mut script = script();
        let write = script.begin(0, insert(1, &[(V0, "a")], 5));
        script.wait_seconds(2);
        script.end_at_second(write, second);
        script.identities()
    };
    let begin = 1_700_000_000;
    assert_eq!(told(begin), NOTHING);
    assert_eq!(told(begin + 2), NOTHING);
    assert_eq!(told(begin + 3), ["answers/second-is-true/operation"]);
    assert_eq!(told(begin - 1), ["answers/second-is-true/operation"]);
}

#[test]
fn a_jump_within_the_request_makes_both_seconds_true() {
    let mut script = Script::new();
    let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
    script.facts.clock.offset_micros = 500_000;
    script.facts.clock.jumps = vec![(at(1_000), 5_000_000), (at(2_000), -7_000_000)];
    let seconds = |from: u64, to: u64| {
        let range = script.facts.clock.wall_seconds(at(from), at(to));
        (range.start() - 1_700_000_000, range.end() - 1_700_000_000)
    };
    assert_eq!(seconds(0, 499), (0, 0));
    assert_eq!(seconds(0, 500), (0, 1));
    assert_eq!(seconds(999, 999), (1, 1));
    assert_eq!(seconds(1_000, 1_000), (1, 6));
    assert_eq!(seconds(1_001, 1_999), (6, 7));
    assert_eq!(seconds(1_999, 2_001), (0, 7));
    assert_eq!(seconds(2_001, 3_000), (0, 1));
}

#[test]
fn a_drift_moves_the_seconds_while_it_lasts_and_what_it_gained_stays() {
    let mut script = Script::new();
    let at = |millis: u64| Instant::from_nanos(millis * 1_000_000);
    let clock = &mut script.facts.clock;
    clock.drifts = vec![
        (at(1_000), 3_000_000),
        (at(2_000), -900_000),
        (at(7_000), 0),
    ];
    clock.jumps = vec![(at(9_000), -2_000_000)];
    let seconds = |from: u64, to: u64| {
        let range = script.facts.clock.wall_seconds(at(from), at(to));
        (range.start() - 1_700_000_000, range.end() - 1_700_000_000)
    };
    assert_eq!(seconds(0, 999), (0, 0));
    assert_eq!(seconds(1_000, 1_999), (1, 4));
    assert_eq!(seconds(2_000, 6_999), (5, 5));
    assert_eq!(seconds(7_500, 7_500), (6, 6));
    assert_eq!(seconds(8_500, 9_500), (5, 7));
}
