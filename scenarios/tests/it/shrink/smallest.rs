//! Invariants of what is left of a plan: exactly what the failure needs.

use std::num::NonZeroUsize;

use cenotaph::check::{Judge, Verdict};
use cenotaph::plan::{Operation, Plan};
use cenotaph::shrink::{ShrinkOptions, Size, shrink};

use crate::synthetic::{one_plan, outcome, run, violation};

const OPTIONS: ShrinkOptions = ShrinkOptions {
    runs_max: 5_000,
    threads: NonZeroUsize::MIN,
};

#[test]
fn a_deletion_and_a_power_cut_are_all_that_is_left() {
    let plan = one_plan();
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(shrunk.before, Size::of(&plan));
    assert_eq!(shrunk.after, Size::of(&shrunk.plan));
    let one = Size {
        clients_count: 1,
        operations_count: 1,
        faults_count: 1,
        knobs_count: 0,
    };
    assert_eq!(shrunk.after, one);
    assert!(shrunk.is_minimal);
    assert_eq!(shrunk.outcome.verdict.identity(), Some(shrunk.identity));
    cenotaph_snapshots::golden!(
        "scenarios/shrink",
        "deletion_and_power_cut",
        "What is left of two clients' fifty operations: small names, round times, default knobs.",
        format!(
            "{}{} -> {}",
            shrunk.plan.to_json(),
            shrunk.before,
            shrunk.after
        )
    );
}

#[test]
fn tables_partitions_and_rows_become_one_where_the_failure_allows() {
    // A write and a deletion of one row, in one table that is created: names do not matter.
    let fails = |plan: &Plan| {
        let all: Vec<&Operation> = plan.clients.iter().flatten().collect();
        let created = |wanted: &Operation| {
            all.iter().any(|made| {
                matches!(made, Operation::CreateTable { .. }) && made.table() == wanted.table()
            })
        };
        let count = |kind: fn(&Operation) -> bool| {
            all.iter()
                .filter(|operation| kind(operation) && created(operation))
                .count()
        };
        let inserts = count(|operation| matches!(operation, Operation::Insert { .. }));
        let deletions = count(|operation| matches!(operation, Operation::DeleteRow { .. }));
        match inserts >= 2 && deletions >= 1 {
            true => vec![violation(Judge::Resurrection, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &one_plan(), OPTIONS, &mut |_| {}).unwrap();
    assert!(shrunk.is_minimal);
    cenotaph_snapshots::golden!(
        "scenarios/shrink",
        "names_become_one",
        "Two writes and a deletion end in one table and one partition, with one CREATE.",
        shrunk.plan.to_json()
    );
}

#[test]
fn another_failure_never_takes_the_place_of_the_first() {
    // Without its flushes the plan fails too, but otherwise; and that failure comes easily.
    let fails = |plan: &Plan| {
        let flushes = plan.clients.iter().flatten();
        let flushes = flushes.filter(|operation| matches!(operation, Operation::Flush { .. }));
        let judge = if flushes.count() >= 2 {
            Judge::Schema
        } else {
            Judge::Panics
        };
        vec![violation(judge, None)]
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &one_plan(), OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(shrunk.identity.judge, Judge::Schema);
    assert_eq!(shrunk.after.operations_count, 2);
    let first: fn(&Verdict) -> _ = Verdict::identity;
    assert_eq!(
        first(&run(&shrunk.plan, &Default::default()).verdict),
        Some(shrunk.identity)
    );
}

#[test]
fn a_knob_that_the_failure_needs_stays_turned() {
    let fails = |plan: &Plan| match plan.knobs.engine.segment_size_bytes {
        8192 => vec![violation(Judge::Boot, None)],
        _ => Vec::new(),
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &one_plan(), OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(shrunk.before.knobs_count, 2);
    assert_eq!(shrunk.after.knobs_count, 1);
    assert_eq!(shrunk.after.operations_count, 0);
    assert_eq!(shrunk.plan.knobs.engine.segment_size_bytes, 8192);
}

#[test]
fn another_key_of_chance_is_tried_where_this_one_needs_more() {
    // Chance: it depends on the key whether so many operations fail.
    let fails = |plan: &Plan| {
        let operations = plan.clients.iter().flatten();
        let count = u64::try_from(operations.clone().count()).unwrap();
        let deletions = operations
            .filter(|operation| matches!(operation, Operation::DeleteRow { .. }))
            .count();
        match deletions > 0 && (count + plan.run_key).is_multiple_of(4) {
            true => vec![violation(Judge::Durability, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let plan = Plan {
        run_key: 4_000_001,
        ..one_plan()
    };
    let shrunk = shrink(&run, &plan, OPTIONS, &mut |_| {}).unwrap();
    assert!(shrunk.is_minimal);
    assert_eq!(shrunk.after.operations_count, 1);
    assert_eq!(shrunk.plan.run_key, 3);
}
