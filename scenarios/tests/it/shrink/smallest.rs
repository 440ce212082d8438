//! Invariants of what is left of a plan: exactly what the failure needs.

use std::num::NonZeroUsize;

use cenotaph::check::{Judge, Verdict};
use cenotaph::plan::{Column, Operation, Plan, TableNumber};
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

/// A plan of what goes by itself: times to live, graces, windows, a column.
fn fading_plan() -> Plan {
    let mut plan = one_plan();
    for session in &mut plan.clients {
        for operation in session.iter_mut() {
            match operation {
                Operation::CreateTable { shape, .. } => shape.gc_grace_seconds = Some(5),
                Operation::Insert { ttl_seconds, .. } => *ttl_seconds = Some(5),
                _ => {}
            }
        }
        session.push(Operation::SetSchemaFlushWindow { millis: 60_000 });
        session.push(Operation::DropColumn {
            table: TableNumber(1),
            column: Column::Regular(1),
            dropped_micros: 5_000,
        });
        session.push(Operation::Compact {
            table: TableNumber(2),
        });
    }
    plan
}

#[test]
fn lives_graces_and_windows_become_as_short_as_the_failure_allows_or_go() {
    // What is written lives for two seconds at least, in a table of some grace; a window is below a second.
    let fails = |plan: &Plan| {
        let all = || plan.clients.iter().flatten();
        let lives = all().any(|operation| operation.ttl_seconds() >= Some(2));
        let grace = all().any(|operation| {
            matches!(operation, Operation::CreateTable { shape, .. } if shape.gc_grace_seconds >= Some(1))
        });
        let window = all().any(|operation| {
            matches!(operation, Operation::SetSchemaFlushWindow { millis } if *millis >= 700)
        });
        let drops = all().any(|operation| matches!(operation, Operation::DropColumn { .. }));
        let merges = all().any(|operation| matches!(operation, Operation::Compact { .. }));
        match lives && grace && window && drops && merges {
            true => vec![violation(Judge::Resurrection, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &fading_plan(), OPTIONS, &mut |_| {}).unwrap();
    assert!(shrunk.is_minimal);
    cenotaph_snapshots::golden!(
        "scenarios/shrink",
        "lives_graces_and_windows",
        "A life of 2 s, a grace of 1 s and a window of 700 ms are what this failure needs.",
        shrunk.plan.to_json()
    );
}

#[test]
fn lives_and_graces_that_do_not_matter_are_not_said() {
    let fails = |plan: &Plan| {
        let all = || plan.clients.iter().flatten();
        let inserts = all().any(|operation| matches!(operation, Operation::Insert { .. }));
        let creates = all().any(|operation| matches!(operation, Operation::CreateTable { .. }));
        match inserts && creates {
            true => vec![violation(Judge::Answers, None)],
            false => Vec::new(),
        }
    };
    let run = |plan: &Plan, options: &_| outcome(plan, options, &fails);
    let shrunk = shrink(&run, &fading_plan(), OPTIONS, &mut |_| {}).unwrap();
    assert_eq!(shrunk.after.operations_count, 2);
    for operation in shrunk.plan.clients.iter().flatten() {
        assert_eq!(operation.ttl_seconds(), None);
        if let Operation::CreateTable { shape, .. } = operation {
            assert_eq!(shape.gc_grace_seconds, None);
        }
    }
}
