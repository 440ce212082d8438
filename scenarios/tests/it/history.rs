//! Invariants of histories: one line an event, and no contradictions.

use cenotaph::history::{
    Answer, CompactionSeen, Event, Outcome, Refusal, StoneEdge, StoneSeen, StonesSeen,
    SystemSchemaSeen,
};
use cenotaph::plan::{CrashKind, Operation, Scalar, TableNumber};
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
    of_deletions(&mut script);
    let what = "sync of commitlog/1.log failed".to_owned();
    script.push(|at, incarnation| Event::DiskFault {
        at,
        incarnation,
        role: None,
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
    script.push(|at, incarnation| Event::Marked {
        at,
        incarnation,
        mark: "schema.flush-begun",
    });
    script.heal();
    script
}

/// Answers that tell of what is dead.
fn of_deletions(script: &mut Script) {
    let table = TableNumber(0);
    let mut answers = |operation: Operation, answer: Answer| {
        let name = script.begin(0, operation);
        script.end(name, Outcome::Ok(answer));
    };
    let partition = 1;
    answers(
        Operation::Stones { table, partition },
        Answer::Stones(stones()),
    );
    answers(
        Operation::Stones { table, partition },
        Answer::Stones(StonesSeen::default()),
    );
    let seen = CompactionSeen {
        now_seconds: 1_000,
        gc_before_seconds: 995,
        purged_count: 3,
        kept_by_grace_count: 1,
        kept_by_memtable_count: 2,
        kept_by_sstable_count: 0,
    };
    answers(Operation::Compact { table }, Answer::Compacted(seen));
    let line = "tables k.t0".to_owned();
    let schema = vec![line.clone()];
    for rows in [schema.clone(), Vec::new()] {
        let schema = schema.clone();
        let seen = SystemSchemaSeen { schema, rows };
        answers(Operation::SystemSchema, Answer::SystemSchema(seen));
    }
}

fn stones() -> StonesSeen {
    let stone = |timestamp, second| StoneSeen { timestamp, second };
    let edge = |value: Option<i64>, is_after| StoneEdge {
        values: value.into_iter().map(Scalar::Integer).collect(),
        is_after,
    };
    let row = vec![Scalar::Integer(4)];
    StonesSeen {
        partition: Some(stone(5, 100)),
        ranges: vec![
            (edge(None, false), edge(Some(1), false), stone(6, 101)),
            (edge(Some(1), false), edge(Some(2), true), stone(7, 101)),
            (edge(Some(2), true), edge(None, true), stone(8, 101)),
        ],
        rows: vec![(row.clone(), stone(-9, 102))],
        statics: vec![(S0.into(), stone(9, 102))],
        cells: vec![(row, V0.into(), stone(10, 103))],
    }
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
