//! Invariants of the judge of durability: it objects to each loss that the mode does not allow, to no other.

use cenotaph::plan::{CommitlogMode, CrashKind};

use crate::support::ops::{V0, create, insert, read, rows, seen_row, update};
use crate::support::script::Script;

const SURVIVES: [&str; 1] = ["durability/acknowledged-survives/row"];
const NOTHING: [&str; 0] = [];

/// A write is acknowledged, `wait_millis` pass, the node crashes and boots, a read shows nothing.
fn lost(mut script: Script, wait_millis: u64, kind: CrashKind) -> Vec<String> {
    script.boot();
    script.ok(create());
    script.ok(insert(1, &[(V0, "a")], 5));
    script.wait(wait_millis);
    script.crash(kind);
    script.boot();
    script.shows(read(), rows(&[]));
    script.identities()
}

#[test]
fn an_acknowledged_write_survives_every_crash_in_batch_mode() {
    for kind in CrashKind::ALL {
        assert_eq!(lost(Script::new(), 0, *kind), SURVIVES, "{kind}");
    }
}

#[test]
fn periodic_mode_may_lose_what_no_sync_had_covered() {
    // The period is 100 ms and no sync takes longer than 5: 110 ms after the answer all is settled.
    for kind in [CrashKind::Panic, CrashKind::Power] {
        assert_eq!(lost(Script::periodic(100), 100, kind), NOTHING, "{kind}");
        assert_eq!(lost(Script::periodic(100), 120, kind), SURVIVES, "{kind}");
    }
    assert_eq!(lost(Script::periodic(100), 0, CrashKind::Kill), SURVIVES);
}

#[test]
fn a_replaced_value_that_comes_back_is_a_loss() {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.ok(insert(1, &[(V0, "a")], 5));
    script.ok(update(1, &[(V0, "b")], 6));
    script.power_cycle();
    script.shows(read(), rows(&[seen_row(1, &[(V0, "a")])]));
    assert_eq!(script.identities(), SURVIVES);
}

#[test]
fn a_killed_process_settles_nothing_and_a_serving_one_everything() {
    let between = |serves: bool| {
        let mut script = Script::periodic(1_000);
        script.boot();
        script.ok(create());
        script.ok(insert(1, &[(V0, "a")], 5));
        script.crash(CrashKind::Kill);
        script.boots();
        script.wait(5_000);
        if serves {
            script.serves();
        }
        script.power_cycle();
        script.shows(read(), rows(&[]));
        script.identities()
    };
    assert_eq!(between(false), NOTHING);
    assert_eq!(between(true), SURVIVES);
}

#[test]
fn what_an_incarnation_showed_stays_while_it_lives() {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.timeout(insert(1, &[(V0, "a")], 5));
    script.shows(read(), rows(&[seen_row(1, &[(V0, "a")])]));
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), ["answers/acknowledged-shows/row"]);
}

#[test]
fn what_is_synced_before_it_shows_survives_once_it_was_read() {
    for mode in [CommitlogMode::Batch, CommitlogMode::Group] {
        let mut script = Script::new();
        script.knobs.engine.commitlog_mode = mode;
        script.boot();
        script.ok(create());
        script.timeout(insert(1, &[(V0, "a")], 5));
        script.shows(read(), rows(&[seen_row(1, &[(V0, "a")])]));
        script.power_cycle();
        script.shows(read(), rows(&[]));
        assert_eq!(script.identities(), SURVIVES);
    }
}

#[test]
fn in_periodic_mode_a_write_that_was_read_may_vanish_in_a_crash_but_not_once_replayed() {
    let mut script = Script::periodic(100);
    script.boot();
    script.ok(create());
    script.timeout(insert(1, &[(V0, "a")], 5));
    script.timeout(insert(2, &[(V0, "b")], 5));
    script.shows(
        read(),
        rows(&[seen_row(1, &[(V0, "a")]), seen_row(2, &[(V0, "b")])]),
    );
    script.power_cycle();
    script.shows(read(), rows(&[seen_row(1, &[(V0, "a")])]));
    assert_eq!(script.identities(), NOTHING);
    script.power_cycle();
    script.shows(read(), rows(&[]));
    assert_eq!(script.identities(), SURVIVES);
}
