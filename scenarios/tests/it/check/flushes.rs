//! Invariants of the judges of the schema's own tables: each way of flushing them too late, too
//! often or never is objected to, and rows that are not the schema.

use std::time::Duration;

use cenotaph::history::{Answer, Event, Outcome, SystemSchemaSeen};
use cenotaph::plan::Operation;

use crate::support::ops::{V2, add, create, drop_table};
use crate::support::script::Script;

const NOTHING: [&str; 0] = [];
const FOLLOW: [&str; 1] = ["schema-flush/flushes-follow/node"];
const END: [&str; 1] = ["schema-flush/flushes-end/node"];

/// A node with a window of so many milliseconds; the run ends an hour later.
fn script(window_millis: u32) -> Script {
    let mut script = Script::new();
    script.knobs.engine.schema_flush_window_millis = window_millis;
    script.facts.ended_at = cenotaph_sim::time::Instant::from_nanos(3_600_000_000_000);
    script.boot();
    script
}

fn applied(script: &mut Script) {
    script.marks("schema.applied");
    script.marks("schema.flush-armed");
}

fn flushed(script: &mut Script) {
    script.marks("schema.flush-begun");
    script.marks("schema.flush-ended");
}

#[test]
fn a_flush_follows_a_change_within_the_window() {
    let judged = |waited: u64| {
        let mut script = script(100);
        applied(&mut script);
        script.wait(waited);
        flushed(&mut script);
        script.identities()
    };
    assert_eq!(judged(100), NOTHING);
    let late = judged(200);
    assert_eq!(
        late, ["schema-flush/flushes-follow/node"; 2],
        "the change, and what was armed"
    );
}

#[test]
fn a_change_during_a_flush_is_owed_another() {
    let judged = |again: bool| {
        let mut script = script(100);
        applied(&mut script);
        script.wait(98);
        script.marks("schema.flush-begun");
        script.marks("schema.applied");
        script.marks("schema.flush-ended");
        script.wait(98);
        if again {
            flushed(&mut script);
        }
        script.identities()
    };
    assert_eq!(judged(true), NOTHING);
    assert_eq!(judged(false), FOLLOW);
}

#[test]
fn a_flush_waits_for_the_end_of_the_one_before() {
    let judged = |waited: u64| {
        let mut script = script(100);
        script.marks("schema.flush-begun");
        applied(&mut script);
        script.wait(300);
        script.marks("schema.flush-ended");
        script.wait(waited);
        flushed(&mut script);
        script.identities()
    };
    assert_eq!(judged(5), NOTHING);
    assert_eq!(judged(50), ["schema-flush/flushes-follow/node"; 2]);
    let mut script = self::script(100);
    script.marks("schema.flush-begun");
    applied(&mut script);
    script.wait(300);
    script.power_cycle();
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_node_that_ends_or_drains_owes_no_flush() {
    let mut script = self::script(100);
    applied(&mut script);
    script.power_cycle();
    assert_eq!(script.identities(), NOTHING);
    let mut script = self::script(100);
    applied(&mut script);
    script.begin(0, Operation::Drain);
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_new_window_may_begin_the_wait_anew_but_not_end_it() {
    let judged = |again: bool| {
        let mut script = script(100);
        applied(&mut script);
        script.wait(50);
        let set = script.begin(0, Operation::SetSchemaFlushWindow { millis: 300 });
        script.marks("schema.window-set");
        script.end(set, Outcome::Ok(Answer::Done));
        script.wait(290);
        if again {
            flushed(&mut script);
        }
        script.identities()
    };
    assert_eq!(judged(true), NOTHING);
    assert_eq!(judged(false), ["schema-flush/flushes-follow/node"; 2]);
}

#[test]
fn a_change_waits_for_what_was_armed_under_a_longer_window() {
    let judged = |flushes: bool| {
        let mut script = script(1_000);
        applied(&mut script);
        let set = script.begin(0, Operation::SetSchemaFlushWindow { millis: 20 });
        script.marks("schema.window-set");
        script.end(set, Outcome::Ok(Answer::Done));
        script.marks("schema.applied");
        script.wait(980);
        if flushes {
            flushed(&mut script);
        }
        script.identities()
    };
    assert_eq!(judged(true), NOTHING);
    assert_eq!(judged(false), ["schema-flush/flushes-follow/node"; 3]);
}

#[test]
fn a_window_has_few_flushes() {
    let judged = |gap: u64| {
        let mut script = script(100);
        for _ in 0..4 {
            flushed(&mut script);
            script.wait(gap - 2);
        }
        script.identities()
    };
    assert_eq!(judged(100), NOTHING);
    assert_eq!(judged(30), ["schema-flush/flushes-are-few/node"]);
}

#[test]
fn a_flush_that_never_ends_is_objected_to() {
    let judged = |fails: bool| {
        let mut script = script(100);
        script.marks("schema.flush-begun");
        if fails {
            script.marks("schema.flush-failed");
        }
        script.identities()
    };
    assert_eq!(judged(false), END);
    assert_eq!(judged(true), END);
    let mut script = script(100);
    let what = "a full disk".to_owned();
    script.push(|at, incarnation| Event::DiskFault {
        at,
        incarnation,
        role: None,
        what,
    });
    script.marks("schema.flush-begun");
    script.marks("schema.flush-failed");
    assert_eq!(script.identities(), NOTHING);
}

#[test]
fn a_flush_of_a_node_that_stands_still_may_end_later() {
    let judged = |still_seconds: u64| {
        let mut script = script(100);
        script.facts.sync_longest = Duration::from_secs(still_seconds);
        script.marks("schema.flush-begun");
        script.wait(61_000);
        script.marks("schema.flush-ended");
        script.identities()
    };
    assert_eq!(judged(0), END);
    assert_eq!(judged(60), NOTHING);
}

#[test]
fn without_a_window_a_change_is_answered_after_its_flush() {
    let judged = |window_millis: u32, flushes: bool| {
        let mut script = script(window_millis);
        let change = script.begin(0, create());
        script.marks("schema.applied");
        if flushes {
            flushed(&mut script);
        }
        script.end(change, Outcome::Ok(Answer::Done));
        if !flushes {
            flushed(&mut script);
        }
        script.identities()
    };
    assert_eq!(judged(0, true), NOTHING);
    assert_eq!(judged(0, false), ["schema-flush/flushes-come-first/node"]);
    assert_eq!(judged(100, false), NOTHING);
}

#[test]
fn two_changes_that_meet_may_leave_nothing_to_flush() {
    let mut script = script(0);
    let first = script.begin(0, create());
    let second = script.begin(1, drop_table());
    script.end(first, Outcome::Ok(Answer::Done));
    script.end(second, Outcome::Ok(Answer::Done));
    assert_eq!(script.identities(), NOTHING);
}

fn system(script: &mut Script, schema: &[&str], rows: &[&str]) {
    let lines = |of: &[&str]| of.iter().map(ToString::to_string).collect();
    let read = script.begin(1, Operation::SystemSchema);
    let seen = SystemSchemaSeen {
        schema: lines(schema),
        rows: lines(rows),
    };
    script.end(read, Outcome::Ok(Answer::SystemSchema(seen)));
}

#[test]
fn at_rest_the_rows_are_the_schema() {
    let differ = ["system-schema/rows-are-the-schema/table"];
    for (schema, rows) in [
        (&["a", "b"][..], &["a"][..]),
        (&["a"], &["a", "b"]),
        (&["a", "b"], &["b", "a"]),
    ] {
        let mut script = script(60_000);
        script.ok(create());
        system(&mut script, schema, schema);
        assert_eq!(script.identities(), NOTHING);
        system(&mut script, schema, rows);
        assert_eq!(script.identities(), differ);
    }
}

#[test]
fn while_a_change_may_be_under_way_the_rows_may_differ() {
    let judged = |crashes: bool| {
        let mut script = script(60_000);
        script.ok(create());
        script.timeout(add(V2));
        if crashes {
            script.power_cycle();
        }
        system(&mut script, &["a", "b"], &["a"]);
        script.identities()
    };
    assert_eq!(judged(false), NOTHING);
    assert_eq!(judged(true), ["system-schema/rows-are-the-schema/table"]);
}
