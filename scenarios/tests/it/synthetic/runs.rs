//! Steps of a run that simulates nothing: a violation where the plan has what it takes, a
//! fingerprint of the plan's text, a history of its first operations.

use std::time::Duration;

use cenotaph::check::{Identity, Invariant, Judge, Role, Verdict, Violation};
use cenotaph::cluster::RunOptions;
use cenotaph::explore::{Entry, Harness};
use cenotaph::history::{Answer, Event, History, NodeClock, Outcome as Ended, RunFacts};
use cenotaph::plan::{CrashKind, FaultKind, Operation, OperationRef, Plan};
use cenotaph::run::{Outcome, RunStatistics};
use cenotaph::shrink::Run;
use cenotaph_engine::planted::Plant;
use cenotaph_sim::time::Instant;
use cenotaph_sim::trace::{Kind, Marks, Trace};

use super::plans::plan_of;

/// Two scenarios, of which one expects a mark that no run reaches.
pub(crate) const SCENARIOS: &[Entry] = &[
    Entry {
        name: "queues",
        summary: "rows that come and go",
        marks: &["reached", "never"],
        faults: &[],
        operations: &[],
        bugs: &[Plant::P02, Plant::P05],
    },
    Entry {
        name: "rows",
        summary: "rows that stay",
        marks: &["reached"],
        faults: &[],
        operations: &[],
        bugs: &[Plant::P05, Plant::P36],
    },
];

/// What a run looks for.
type Checks<'a> = &'a dyn Fn(&Plan) -> Vec<Violation>;

/// The scenarios above, their plans, and a way to run them.
pub(crate) fn harness<'a>(run: &'a Run<'a>) -> Harness<'a> {
    Harness {
        scenarios: SCENARIOS,
        plan: &plan_of,
        run,
    }
}

/// A violation by an operation.
pub(crate) fn violation(judge: Judge, operation: Option<OperationRef>) -> Violation {
    let identity = Identity {
        judge,
        invariant: Invariant::AcknowledgedSurvives,
        role: Role::Row,
    };
    Violation {
        identity,
        operation,
        detail: "row (300) of k.t0 is gone".to_owned(),
    }
}

/// Fails when a row is deleted and the power is cut: the first such deletion is to blame.
pub(crate) fn run(plan: &Plan, options: &RunOptions) -> Outcome {
    outcome(plan, options, &|plan| {
        let is_cut = plan.faults.iter().any(|fault| {
            matches!(
                fault.kind,
                FaultKind::Crash {
                    kind: CrashKind::Power,
                    ..
                }
            )
        });
        let deletion = operations(plan)
            .find(|(_, operation)| matches!(operation, Operation::DeleteRow { .. }));
        match (is_cut, deletion) {
            (true, Some((name, _))) => vec![violation(Judge::Durability, Some(name))],
            _ => Vec::new(),
        }
    })
}

fn operations(plan: &Plan) -> impl Iterator<Item = (OperationRef, &Operation)> {
    (0_u16..).zip(&plan.clients).flat_map(|(client, session)| {
        let named = (0_u32..).zip(session);
        named.map(move |(index, operation)| (OperationRef { client, index }, operation))
    })
}

/// The outcome of a plan by what `checks` says of it. Partitions never strike.
pub(crate) fn outcome(plan: &Plan, options: &RunOptions, checks: Checks<'_>) -> Outcome {
    let violations = checks(plan);
    let mut trace = Trace::new(options.window.clone());
    let mut history = History::default();
    let mut at = Instant::ZERO;
    for (name, operation) in operations(plan) {
        at = at.after(Duration::from_millis(1));
        trace.event(
            Kind::Note,
            [at.as_nanos(), plan.run_key, u64::from(name.index)],
            || format!("{name} {operation}"),
        );
        history.push(Event::Invoked {
            at,
            operation: name,
            what: operation.clone().into(),
        });
        let outcome = Ended::Ok(Answer::Done);
        history.push(Event::Answered {
            at,
            operation: name,
            incarnation: Some(1),
            outcome,
            now_seconds: None,
        });
    }
    let mut marks = Marks::default();
    marks.hit("reached");
    let strikes = |kind: &FaultKind| !matches!(kind, FaultKind::Partition { .. });
    let waiting = plan.faults.iter().filter(|fault| !strikes(&fault.kind));
    let faults_waiting: Vec<_> = waiting.cloned().collect();
    let (fingerprint, recorded) = trace.finish();
    let count = |number: usize| u64::try_from(number).expect("small numbers fit");
    let operations_count = count(plan.clients.iter().map(Vec::len).sum());
    Outcome {
        verdict: Verdict {
            violations,
            answers_count: history.events().len() / 2,
        },
        statistics: RunStatistics {
            operations_count,
            events_count: fingerprint.events_count(),
            crashes_count: 1,
            faults_count: count(plan.faults.len() - faults_waiting.len()),
            stones_purged_count: 2,
            polls_count: operations_count * 3,
            ready_sum: operations_count * 7,
            simulated: at.since(Instant::ZERO),
        },
        fingerprint,
        history,
        facts: RunFacts {
            sync_longest: Duration::ZERO,
            late_longest: Duration::ZERO,
            clock: NodeClock::default(),
            packet_life_longest: Duration::ZERO,
            requests_may_repeat: false,
            liveness_bound: Duration::ZERO,
            finals_count: 0,
            ended_at: at,
        },
        marks,
        faults_waiting,
        recorded,
    }
}
