//! Invariants of hunts: what is found is the planted bug's, and how long it took is told.

use std::num::NonZeroUsize;
use std::time::Duration;

use cenotaph::check::Judge;
use cenotaph::explore::{Hunt, HuntOptions, hunt};
use cenotaph::plan::Plan;

use crate::synthetic::{SCENARIOS, harness, outcome, violation};

fn hunted(cpu_max: Duration, run: &(dyn Fn(&Plan) -> Option<Judge> + Sync)) -> Hunt {
    let run = |plan: &Plan, options: &_| {
        outcome(plan, options, &|plan| {
            run(plan)
                .map(|judge| violation(judge, None))
                .into_iter()
                .collect()
        })
    };
    let options = HuntOptions {
        scenarios: SCENARIOS[..1].to_vec(),
        bug: "P02".to_owned(),
        seed_start: 0,
        cpu_max,
        jobs: NonZeroUsize::new(2).expect("2 is not 0"),
        shrink_runs_max: 500,
    };
    hunt(&harness(&run), &options, &mut |_| {})
}

#[test]
fn the_first_seed_that_only_the_bug_makes_fail_is_the_find() {
    let hunt = hunted(
        Duration::from_secs(60),
        &|plan| match (plan.run_key, &plan.bug) {
            // Two seeds fail whatever is planted: they say nothing of the bug.
            (2 | 4, _) => Some(Judge::Answers),
            (5.., Some(_)) => Some(Judge::Durability),
            _ => None,
        },
    );
    assert_eq!(hunt.innocent_count, 2);
    assert_eq!(hunt.seeds_count, 6, "seeds 0 to 5");
    let found = hunt.found.unwrap();
    assert_eq!((found.seed, found.identity.judge), (5, Judge::Durability));
    let shrunk = found.shrunk.unwrap();
    assert_eq!(
        shrunk.plan.bug.as_deref(),
        Some("P02"),
        "the bug stays planted"
    );
    assert_eq!(shrunk.after.operations_count, 0);
}

#[test]
fn a_bug_that_never_shows_ends_with_the_budget() {
    let hunt = hunted(Duration::from_millis(30), &|_| None);
    assert!(hunt.found.is_none());
    assert!(hunt.cpu >= Duration::from_millis(30), "{:?}", hunt.cpu);
    assert!(hunt.seeds_count > 0);
}

#[test]
fn without_a_budget_nothing_is_run() {
    let hunt = hunted(Duration::ZERO, &|_| Some(Judge::Boot));
    assert!(hunt.found.is_none());
    assert_eq!(hunt.seeds_count, 0);
}
