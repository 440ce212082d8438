//! Invariants of shrinking at its limits: budgets, plans that hold, plans that are none.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};

use cenotaph::plan::Plan;
use cenotaph::shrink::{ShrinkError, ShrinkOptions, shrink};

use crate::synthetic::{one_plan, plan_of, run};

fn options(runs_max: u32) -> ShrinkOptions {
    ShrinkOptions {
        runs_max,
        threads: NonZeroUsize::MIN,
    }
}

#[test]
fn a_budget_is_kept_and_its_end_is_told() {
    for runs_max in [1, 2, 7, 20] {
        let runs = AtomicU32::new(0);
        let counted = |plan: &Plan, options: &_| {
            runs.fetch_add(1, Ordering::Relaxed);
            run(plan, options)
        };
        let shrunk = shrink(&counted, &one_plan(), options(runs_max), &mut |_| {}).unwrap();
        assert!(
            shrunk.runs_count <= runs_max,
            "{} of {runs_max}",
            shrunk.runs_count
        );
        assert!(!shrunk.is_minimal, "{runs_max} runs cannot prove it");
        assert!(!run(&shrunk.plan, &Default::default()).verdict.holds());
        assert!(runs.into_inner() >= shrunk.runs_count);
    }
}

#[test]
fn a_plan_that_holds_cannot_be_shrunk() {
    let error = shrink(&run, &plan_of("rows", 1), options(100), &mut |_| {}).unwrap_err();
    assert_eq!(error, ShrinkError::Held);
}

#[test]
fn a_plan_out_of_bounds_is_refused_before_it_runs() {
    let mut plan = one_plan();
    plan.clients.clear();
    let never = |_: &Plan, _: &_| panic!("it must not run");
    let error = shrink(&never, &plan, options(100), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ShrinkError::Plan(_)), "{error}");
}

#[test]
fn progress_never_goes_back() {
    let mut before = None;
    shrink(&run, &one_plan(), options(5_000), &mut |progress| {
        if let Some((runs_count, size)) = before {
            assert!(progress.runs_count >= runs_count);
            assert!(
                progress.size.is_within(&size),
                "{size} became {}",
                progress.size
            );
        }
        before = Some((progress.runs_count, progress.size));
    })
    .unwrap();
    assert!(before.is_some());
}
