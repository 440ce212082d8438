//! Invariants of time while operations go: what a failure needs of it stays, as pauses.

use std::num::NonZeroUsize;
use std::time::Duration;

use cenotaph::check::Judge;
use cenotaph::cluster::RunOptions;
use cenotaph::history::{Event, History};
use cenotaph::plan::{Operation, OperationRef, Plan};
use cenotaph::run::Outcome;
use cenotaph::shrink::{ShrinkOptions, shrink};
use cenotaph_sim::time::Instant;

use crate::synthetic::{delete_row, insert, one_plan, outcome, violation};

const OPTIONS: ShrinkOptions = ShrinkOptions {
    runs_max: 5_000,
    threads: NonZeroUsize::MIN,
};

/// When the operations of the first client begin: each takes 3 ms, a pause what it says.
fn begins(plan: &Plan) -> Vec<u64> {
    let lengths = plan.clients[0].iter().map(|operation| match operation {
        Operation::Pause { millis } => u64::from(*millis),
        _ => 3,
    });
    let sums = lengths.scan(0, |sum, length| Some(std::mem::replace(sum, *sum + length)));
    sums.collect()
}

/// Fails when a row is deleted between 60 and 64 ms.
fn run(plan: &Plan, options: &RunOptions) -> Outcome {
    let begins = begins(plan);
    let is_late = |(operation, begin): (&Operation, &u64)| {
        matches!(operation, Operation::DeleteRow { .. }) && (60..64).contains(begin)
    };
    let fails = plan.clients[0].iter().zip(&begins).any(is_late);
    let violations = |_: &Plan| match fails {
        true => vec![violation(Judge::Durability, None)],
        false => Vec::new(),
    };
    let mut outcome = outcome(plan, options, &violations);
    outcome.history = History::default();
    for ((index, what), begin) in (0..).zip(&plan.clients[0]).zip(&begins) {
        outcome.history.push(Event::Invoked {
            at: Instant::ZERO.after(Duration::from_millis(*begin)),
            operation: OperationRef { client: 0, index },
            what: what.clone().into(),
        });
    }
    outcome
}

#[test]
fn operations_that_only_took_time_become_one_pause() {
    let mut session: Vec<Operation> = (0..20).map(|step| insert(0, 1, step, step + 1)).collect();
    session.push(delete_row(0, 1, 3, 9_000));
    session.extend((20..30).map(|step| insert(0, 1, step, step + 1)));
    let plan = Plan {
        clients: vec![session],
        faults: Vec::new(),
        ..one_plan()
    };
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert!(shrunk.is_minimal);
    let [Operation::Pause { millis }, Operation::DeleteRow { .. }] = shrunk.plan.clients[0][..]
    else {
        panic!("{}", shrunk.plan.to_json());
    };
    assert_eq!(millis, 60, "the shortest pause that will do");
}
