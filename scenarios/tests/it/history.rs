//! Invariants of histories: one line an event, and no contradictions.

use cenotaph::history::{Answer, Event, Outcome, Refusal};
use cenotaph::plan::{CrashKind, Operation};
use cenotaph_snapshots::golden;

use crate::support::ops::{
    S0, V0, V1, create, insert, read, seen_row, statics, t0_seen, update_static,
};
use crate::support::script::Script;

fn everything() -> Script {
    let mut script = Script::new();
    script.boot();
    script.ok(create());
    script.ok(Operation::Pause { millis: 5 });
    script.refused(create(), Refusal::TableExists);
    script.timeout(insert(1, &[(V0, "a"), (V1, "b")], 5));
    script.ok(update_static("s", 5));
    script.shows(
        read(),
        statics(
            "s",
            &[seen_row(1, &[(V0, "a"), (V1, "b")]), seen_row(2, &[])],
        ),
    );
    script.describes(&[t0_seen(&[S0, V0, V1])]);
    let what = "sync of commitlog/1.log failed".to_owned();
    script.push(|at, incarnation| Event::DiskFault {
        at,
        incarnation,
        what,
    });
    let error = Some("commitlog/1.log: sync failed".to_owned());
    script.push(|at, incarnation| Event::Exited {
        at,
        incarnation,
        error,
    });
    script.boot();
    script.crash(CrashKind::Power);
    script.boots();
    script.push(|at, incarnation| Event::Panicked {
        at,
        incarnation,
        task: "replay".to_owned(),
        message: "index out of bounds".to_owned(),
    });
    script.boot();
    script.heal();
    script
}

#[test]
fn a_history_is_one_line_an_event() {
    let text = everything().history.to_string();
    golden!(
        "scenarios/history",
        "every_event",
        "Time, who, what; one line each.",
        text
    );
}

#[test]
fn incarnations_follow_one_another() {
    let script = everything();
    let timeline = script.history.timeline();
    let ends: Vec<_> = timeline
        .incarnations
        .iter()
        .map(|node| (node.number, node.ended_at.is_some(), node.crash))
        .collect();
    assert_eq!(
        ends,
        [
            (1, true, None),
            (2, true, Some(CrashKind::Power)),
            (3, true, None),
            (4, false, None)
        ]
    );
    assert!(timeline.incarnations[2].serving_at.is_none());
    assert!(timeline.healed_at.is_some());
}

#[test]
#[should_panic(expected = "c0o0 is answered twice")]
fn an_operation_is_answered_once() {
    let mut script = Script::new();
    script.boot();
    let operation = script.ok(create());
    script.end(operation, Outcome::Ok(Answer::Done));
    let _ = script.history.timeline();
}

#[test]
#[should_panic(expected = "boots before the last one ended")]
fn one_incarnation_lives_at_a_time() {
    let mut script = Script::new();
    script.boot();
    script.boot();
    let _ = script.history.timeline();
}
