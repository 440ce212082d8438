//! Invariants of shrinking, whatever makes a plan fail: the result fails alike, is never larger, is
//! minimal in single removals, and is the same on any number of threads.

use std::num::NonZeroUsize;

use cenotaph::check::{Judge, Violation};
use cenotaph::cluster::RunOptions;
use cenotaph::plan::{FaultKind, Operation, Plan};
use cenotaph::shrink::{ShrinkOptions, Shrunk, shrink};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::synthetic::{outcome, plan_of, violation};

/// What a plan has to have to fail.
#[derive(Clone, Copy, Debug)]
struct Needs {
    inserts_count: usize,
    reads_count: usize,
    flushes_count: usize,
    crash: bool,
    evict: bool,
    turned: bool,
    clients_count: usize,
}

fn needs() -> impl Strategy<Value = Needs> {
    (
        0..4_usize,
        0..2_usize,
        0..3_usize,
        any::<[bool; 3]>(),
        1..3_usize,
    )
        .prop_map(
            |(inserts_count, reads_count, flushes_count, [crash, evict, turned], clients_count)| {
                Needs {
                    inserts_count,
                    reads_count,
                    flushes_count,
                    crash,
                    evict,
                    turned,
                    clients_count,
                }
            },
        )
}

fn count(plan: &Plan, kind: fn(&Operation) -> bool) -> usize {
    plan.clients
        .iter()
        .flatten()
        .filter(|operation| kind(operation))
        .count()
}

fn fails(needs: Needs, plan: &Plan) -> Vec<Violation> {
    let has = |kind: fn(&FaultKind) -> bool| plan.faults.iter().any(|fault| kind(&fault.kind));
    let all = count(plan, |one| matches!(one, Operation::Insert { .. })) >= needs.inserts_count
        && count(plan, |one| matches!(one, Operation::Read { .. })) >= needs.reads_count
        && count(plan, |one| matches!(one, Operation::Flush { .. })) >= needs.flushes_count
        && (!needs.crash || has(|kind| matches!(kind, FaultKind::Crash { .. })))
        && (!needs.evict || has(|kind| matches!(kind, FaultKind::EvictCache)))
        && (!needs.turned || plan.knobs.engine.segment_size_bytes == 8192)
        && plan.clients.len() >= needs.clients_count;
    match all {
        true => vec![violation(Judge::Answers, None)],
        // What is left otherwise fails too, in another way.
        false => vec![violation(Judge::Liveness, None)],
    }
}

fn shrunk(needs: Needs, plan: &Plan, threads: usize) -> Shrunk {
    let run = |plan: &Plan, options: &_| outcome(plan, options, &|plan| fails(needs, plan));
    let threads = NonZeroUsize::new(threads).expect("a test has threads");
    shrink(
        &run,
        plan,
        ShrinkOptions {
            runs_max: 20_000,
            threads,
        },
        &mut |_| {},
    )
    .expect("the plan fails")
}

fn is_alike(needs: Needs, plan: &Plan) -> bool {
    let run = outcome(plan, &RunOptions::default(), &|plan| fails(needs, plan));
    run.verdict
        .identity()
        .expect("every such run fails somehow")
        .judge
        == Judge::Answers
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 24,
        rng_seed: RngSeed::Fixed(0x5372_696e_6b21),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_left_is_what_is_needed(needs in needs(), seed in 0..50_u64) {
        let plan = plan_of("rows", seed);
        prop_assume!(is_alike(needs, &plan));
        let shrunk = shrunk(needs, &plan, 1);
        prop_assert!(shrunk.plan.validate("shrunk").is_ok());
        prop_assert!(is_alike(needs, &shrunk.plan));
        prop_assert!(shrunk.after.is_within(&shrunk.before));
        prop_assert!(shrunk.is_minimal);
        let wanted = needs.inserts_count + needs.reads_count + needs.flushes_count;
        prop_assert_eq!(shrunk.after.operations_count, wanted);
        let faults_count = usize::from(needs.crash) + usize::from(needs.evict);
        prop_assert_eq!(shrunk.after.faults_count, faults_count);
        prop_assert_eq!(shrunk.after.knobs_count, usize::from(needs.turned));
        prop_assert_eq!(shrunk.after.clients_count, needs.clients_count);
    }

    #[test]
    fn threads_change_nothing(needs in needs(), seed in 0..50_u64, threads in 2..6_usize) {
        let plan = plan_of("rows", seed);
        prop_assume!(is_alike(needs, &plan));
        let (alone, many) = (shrunk(needs, &plan, 1), shrunk(needs, &plan, threads));
        prop_assert_eq!(alone.plan, many.plan);
        prop_assert_eq!(alone.runs_count, many.runs_count);
        prop_assert_eq!(alone.is_minimal, many.is_minimal);
    }
}
