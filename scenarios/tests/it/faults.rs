//! Invariants of a plan's faults: each kind strikes and says so, and the judges know what it excuses and
//! what it does not.

use std::time::Duration;

use cenotaph::history::{Event, Outcome as Ended};
use cenotaph::plan::{
    Anchor, CommitlogMode, CrashKind, Fault, FaultKind, FileRole, IoKind, Knobs, Operation,
    OperationRef, Packets, Plan, Way,
};
use cenotaph::run::{Outcome, RunOptions, run};

use crate::support::ops::{T0, V0, compact, create_with_grace, delete_row, expiring, insert, read};

/// Two clients that write, delete and read rows for about a second and a half, with times to live.
fn plan(faults: Vec<Fault>) -> Plan {
    let session = |client: i64| {
        let mut session = vec![create_with_grace(1)];
        for step in 0..40 {
            let (row, timestamp) = (step % 5, 10 + step);
            let value = format!("c{client}o{step}");
            session.push(match step % 8 {
                3 => expiring(insert(row, &[(V0, &value)], timestamp), 1),
                4 => delete_row(row, timestamp),
                5 => Operation::Flush { table: T0 },
                6 => compact(),
                7 => read(),
                _ => insert(row, &[(V0, &value)], timestamp),
            });
            session.push(Operation::Pause { millis: 40 });
        }
        session
    };
    Plan {
        format: Plan::FORMAT,
        scenario: "tombstone-merge".to_owned(),
        run_key: 11,
        knobs: Knobs::default(),
        clients: vec![session(0), session(1)],
        faults,
        bug: None,
    }
}

fn at_millis(millis: u32, kind: FaultKind) -> Fault {
    Fault {
        at: Anchor::Time { millis },
        kind,
    }
}

/// Runs a valid plan, which holds.
fn held(plan: &Plan) -> Outcome {
    assert_eq!(plan.validate("plan"), Ok(()));
    let outcome = run(plan, &RunOptions::default());
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    outcome
}

/// A fault of each name.
fn every_kind() -> Vec<FaultKind> {
    let duration_millis = 30;
    let crash = |kind| FaultKind::Crash {
        kind,
        restart_after_millis: 5,
    };
    let partition = |way, packets| FaultKind::Partition {
        client: 0,
        duration_millis,
        way,
        packets,
    };
    vec![
        crash(CrashKind::Kill),
        crash(CrashKind::Panic),
        crash(CrashKind::Power),
        FaultKind::DiskError,
        FaultKind::NoSpace,
        FaultKind::FailSync,
        partition(Way::Both, Packets::Lost),
        partition(Way::FromNode, Packets::SentLost),
        partition(Way::ToNode, Packets::Held),
        FaultKind::Swizzle { duration_millis },
        FaultKind::Pause { duration_millis },
        FaultKind::ClockJump { millis: 700 },
        FaultKind::ClockDrift {
            ppm: -900_000,
            duration_millis,
        },
        FaultKind::DropPackets { count: 1 },
        FaultKind::EvictCache,
    ]
}

#[test]
fn every_kind_of_fault_strikes_in_a_run() {
    let kinds = every_kind();
    let names: Vec<&str> = kinds.iter().map(FaultKind::name).collect();
    assert_eq!(names, FaultKind::NAMES);
    for kind in kinds {
        let outcome = held(&plan(vec![at_millis(300, kind.clone())]));
        assert_eq!(outcome.faults_waiting, [], "{}", kind.name());
        assert_eq!(outcome.statistics.faults_count, 1, "{}", kind.name());
    }
}

#[test]
fn a_node_is_crashed_inside_its_recovery_by_the_number_of_a_request() {
    let crash = |at| Fault {
        at,
        kind: FaultKind::Crash {
            kind: CrashKind::Power,
            restart_after_millis: 5,
        },
    };
    for ordinal in [0, 1, 3, 7] {
        let inside = Anchor::Request {
            machine: 1,
            incarnation: 2,
            ordinal,
        };
        let faults = vec![crash(Anchor::Time { millis: 400 }), crash(inside)];
        let outcome = held(&plan(faults));
        assert_eq!(outcome.faults_waiting, [], "operation {ordinal}");
        let serves = |event: &Event| matches!(event, Event::Serving { incarnation: 2, .. });
        let crashed = |event: &Event| matches!(event, Event::Crashed { incarnation: 2, .. });
        let mut events = outcome.history.events().iter();
        assert!(!events.any(serves), "operation {ordinal} is of the boot");
        assert!(outcome.history.events().iter().any(crashed));
    }
}

#[test]
fn a_paused_node_answers_nobody_and_may_be_as_late_as_that_in_what_it_promised() {
    let kind = FaultKind::Pause {
        duration_millis: 300,
    };
    let mut paused = plan(vec![at_millis(400, kind)]);
    paused.knobs.engine.commitlog_mode = CommitlogMode::Periodic;
    let outcome = held(&paused);
    let answers = outcome.history.events().iter().filter(|event| {
        let answered = matches!(
            event,
            Event::Answered {
                incarnation: Some(_),
                ..
            }
        );
        let millis = event.at().as_nanos() / 1_000_000;
        answered && (410..700).contains(&millis)
    });
    assert_eq!(answers.count(), 0);
    let without = held(&plan(Vec::new()));
    let longer = outcome.facts.sync_longest - without.facts.sync_longest;
    assert_eq!(longer, Duration::from_millis(300));
    // One that never strikes excuses nothing.
    let never = Fault {
        at: Anchor::Io {
            machine: 1,
            incarnation: 9,
            role: FileRole::Data,
            kind: IoKind::Sync,
            ordinal: 0,
        },
        kind: FaultKind::Pause {
            duration_millis: 300,
        },
    };
    let outcome = held(&plan(vec![never.clone()]));
    assert_eq!(outcome.faults_waiting, [never]);
    assert_eq!(outcome.facts.sync_longest, without.facts.sync_longest);
}

#[test]
fn the_seconds_that_a_node_tells_are_true_while_its_clock_drifts_and_jumps() {
    let drift = |ppm, duration_millis| FaultKind::ClockDrift {
        ppm,
        duration_millis,
    };
    let mut drifting = plan(vec![
        at_millis(100, drift(2_000_000, 400)),
        at_millis(300, drift(-900_000, 500)),
        at_millis(600, FaultKind::ClockJump { millis: 1_500 }),
        // Only the healing ends it.
        at_millis(1_000, drift(9_000_000, 60_000)),
    ]);
    drifting.knobs.world.clock_drift_ppm = 50_000;
    let outcome = held(&drifting);
    assert_eq!(outcome.faults_waiting, []);
    let clock = &outcome.facts.clock;
    let turns: Vec<(u64, i64)> = clock
        .drifts
        .iter()
        .map(|(at, ppm)| (at.as_nanos() / 1_000_000, *ppm))
        .collect();
    assert_eq!(turns[..2], [(100, 2_000_000), (300, -900_000)]);
    assert_eq!(turns[2..4], [(800, 0), (1_000, 9_000_000)]);
    assert_eq!(turns[4].1, 0);
}

/// A plan whose clock stands so many seconds before a second when the run begins.
fn near(second: i64, before: i64, faults: Vec<Fault>) -> Plan {
    let begin = 1_700_000_000;
    let mut plan = plan(faults);
    plan.knobs.world.clock_offset_millis = (second - begin - before) * 1_000;
    plan
}

#[test]
fn wall_seconds_go_on_past_31_bits() {
    let outcome = held(&near(1 << 31, 1, Vec::new()));
    let seconds: Vec<u32> = told_seconds(&outcome);
    let before = seconds.iter().filter(|second| **second < 1 << 31).count();
    assert!(before > 10 && seconds.len() - before > 10, "{seconds:?}");
}

#[test]
fn a_time_to_live_that_32_bits_do_not_tell_is_refused_by_name() {
    let outcome = held(&near((1 << 32) - 2, 1, Vec::new()));
    let refusals: Vec<String> = outcome
        .history
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Answered {
                outcome: Ended::Refused(refusal),
                ..
            } => Some(format!("{refusal:?}")),
            _ => None,
        })
        .collect();
    assert!(
        refusals
            .iter()
            .any(|why| why.contains("ends after the last second")),
        "{refusals:?}"
    );
}

fn told_seconds(outcome: &Outcome) -> Vec<u32> {
    let events = outcome.history.events().iter();
    let seconds = events.filter_map(|event| match event {
        Event::Answered { now_seconds, .. } => *now_seconds,
        _ => None,
    });
    seconds.collect()
}

#[test]
fn a_slow_link_is_slow_for_the_clients_and_no_more() {
    let mut slow = plan(Vec::new());
    slow.knobs.world.network_bytes_per_second = 20_000;
    let (slow, fast) = (held(&slow), held(&plan(Vec::new())));
    let ended = |outcome: &Outcome| {
        let last = OperationRef {
            client: 0,
            index: 79,
        };
        let events = outcome.history.events().iter();
        let answered = events.filter_map(|event| match event {
            Event::Answered { at, operation, .. } if *operation == last => Some(*at),
            _ => None,
        });
        answered.max().expect("it is answered")
    };
    let later = ended(&slow).since(ended(&fast));
    assert!(later > Duration::from_millis(100), "{later:?}");
}
