//! Invariants of sweeps: what is counted, grouped and missed, on any number of threads.

use std::num::NonZeroUsize;

use cenotaph::check::Judge;
use cenotaph::explore::{FaultCount, Seeds, Shard, Step, Sweep, SweepOptions, sweep};
use cenotaph::history::History;
use cenotaph::plan::Plan;
use cenotaph_snapshots::golden;

use crate::synthetic::{SCENARIOS, harness, outcome, run};

pub(super) fn options(seeds: Seeds, jobs: usize) -> SweepOptions {
    SweepOptions {
        scenarios: SCENARIOS.to_vec(),
        seeds,
        shard: Shard::WHOLE,
        jobs: NonZeroUsize::new(jobs).expect("a test has threads"),
        bug: None,
        twice: true,
        until_failure: false,
        shrink_runs_max: 2_000,
    }
}

fn swept(seeds: Seeds, jobs: usize) -> Sweep {
    sweep(&harness(&run), None, &options(seeds, jobs), &mut |_| {})
}

#[test]
fn every_seed_of_every_scenario_is_run_twice() {
    let sweep = swept(Seeds::range(10, 30), 2);
    assert_eq!(sweep.tally.seeds_count, 40);
    assert_eq!(sweep.tally.runs_count, 80);
    assert_eq!(sweep.tally.crashes_count, 80);
    assert_eq!(sweep.tally.marks.count("reached"), 40);
    assert_eq!(sweep.mismatches, []);
    assert_eq!(sweep.crashes, []);
}

#[test]
fn failures_are_one_a_scenario_and_identity_with_the_fastest_seed_kept() {
    // Every third seed has a power cut, and every one deletes rows.
    let sweep = swept(Seeds::range(1, 31), 3);
    assert!(!sweep.holds());
    let told: Vec<_> = sweep
        .failures
        .iter()
        .map(|failure| failure.group.clone())
        .collect();
    assert_eq!(
        told.iter().map(|group| group.scenario).collect::<Vec<_>>(),
        ["queues", "rows"]
    );
    for (group, failure) in told.iter().zip(&sweep.failures) {
        assert_eq!(group.identity.judge, Judge::Durability);
        assert_eq!((group.seeds_count, group.seed_min), (10, 3));
        // Sessions are longer the more a seed leaves when divided by 7.
        assert_eq!((group.seed, failure.plan.run_key), (21, 21));
        let shrunk = failure.shrunk.as_ref().unwrap();
        assert_eq!(shrunk.after.operations_count, 1);
        assert_eq!(shrunk.identity, group.identity);
    }
}

#[test]
fn the_fingerprint_of_a_sweep_sees_each_seed_and_not_how_often_it_was_run() {
    let of = |seeds, jobs| swept(seeds, jobs).tally.fingerprint;
    let whole = of(Seeds::range(1, 31), 1);
    assert_eq!(of(Seeds::range(1, 31), 3), whole);
    assert_ne!(of(Seeds::range(1, 30), 1), whole);
    assert_ne!(of(Seeds::range(0, 30), 1), whole);
    let once = SweepOptions {
        twice: false,
        ..options(Seeds::range(1, 31), 2)
    };
    let swept_once = sweep(&harness(&run), None, &once, &mut |_| {});
    assert_eq!(swept_once.tally.runs_count, 60);
    assert_eq!(swept_once.tally.fingerprint, whole);
}

#[test]
fn threads_change_nothing_that_is_told() {
    let texts = [1, 2, 5].map(|jobs| {
        let sweep = swept(Seeds::range(0, 70), jobs);
        let plans: Vec<String> = sweep
            .failures
            .iter()
            .map(|failure| failure.plan.to_json())
            .collect();
        let shrunk = sweep
            .failures
            .iter()
            .map(|failure| failure.shrunk.as_ref().unwrap());
        let shrunk: Vec<_> = shrunk
            .map(|shrunk| (shrunk.plan.to_json(), shrunk.runs_count))
            .collect();
        (
            cenotaph::report::summary(&sweep),
            sweep.tally,
            plans,
            shrunk,
        )
    });
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
    golden!(
        "scenarios/explore",
        "a_sweep",
        "The sums of a sweep hang on its seeds alone, and fit a screen.",
        &texts[0].0
    );
}

#[test]
fn a_kind_of_fault_that_never_strikes_fails_a_sweep_large_enough_to_tell() {
    let holds = |plan: &Plan, options: &_| outcome(plan, options, &|_| Vec::new());
    let swept = |end| {
        sweep(
            &harness(&holds),
            None,
            &options(Seeds::range(0, end), 2),
            &mut |_| {},
        )
    };
    let (small, large) = (swept(99), swept(100));
    let count = large.tally.faults["partition"];
    assert_eq!(
        count,
        FaultCount {
            planned_count: 200,
            struck_count: 0
        }
    );
    assert_eq!(large.tally.faults["failed sync"].struck_count, 200);
    assert_eq!(
        small.faults_missing, [""; 0],
        "198 seeds are too few to tell"
    );
    assert!(small.holds());
    assert_eq!(large.faults_missing, ["partition"]);
    assert!(!large.holds());
}

/// Sweeps both scenarios, of which the first says that it draws these.
fn swept_with(
    faults: &'static [&'static str],
    operations: &'static [&'static str],
    end: u64,
) -> Sweep {
    let holds = |plan: &Plan, options: &_| outcome(plan, options, &|_| Vec::new());
    let mut scenarios = SCENARIOS.to_vec();
    (scenarios[0].faults, scenarios[0].operations) = (faults, operations);
    let options = SweepOptions {
        scenarios,
        twice: false,
        ..options(Seeds::range(0, end), 2)
    };
    sweep(&harness(&holds), None, &options, &mut |_| {})
}

#[test]
fn a_kind_that_a_scenario_draws_by_its_word_and_never_has_fails_a_sweep_large_enough_to_tell() {
    let small = swept_with(&["failed sync", "pause"], &["insert", "drain"], 99);
    assert!(small.holds(), "99 seeds of a scenario are too few to tell");
    let large = swept_with(&["failed sync", "pause"], &["insert", "drain"], 2_000);
    // Partitions are in the plans, and never strike.
    assert_eq!(large.faults_missing, ["partition", "pause"]);
    assert_eq!(large.operations_missing, ["drain"]);
    assert!(!large.holds());
    let told = cenotaph::report::summary(&large);
    assert!(
        told.contains("2 kinds of fault never struck; 1 kind of operation never done"),
        "{told}"
    );
    assert!(
        told.contains("enabled and never struck: partition, pause"),
        "{told}"
    );
    assert!(told.contains("enabled and never done: drain"), "{told}");
}

#[test]
fn operations_are_counted_by_kind_and_those_that_nobody_does_fail_a_sweep() {
    let refused = |plan: &Plan, options: &_| {
        let mut seen = outcome(plan, options, &|_| Vec::new());
        seen.history = History::default();
        seen
    };
    let done = swept_with(&[], &[], 10);
    let (name, count) = done
        .tally
        .operations
        .iter()
        .next()
        .expect("plans have some");
    assert_eq!(count.planned_count, count.done_count, "{name}");
    let scenarios = vec![SCENARIOS[1]];
    let options = SweepOptions {
        scenarios,
        ..options(Seeds::range(0, 30), 1)
    };
    let sweep = sweep(&harness(&refused), None, &options, &mut |_| {});
    let planned = sweep.tally.operations["insert"];
    assert!(planned.planned_count >= 200, "{planned:?}");
    assert_eq!(planned.done_count, 0);
    assert!(sweep.operations_missing.contains(&"insert"));
    assert!(!sweep.holds());
}

#[test]
fn marks_that_no_run_reached_are_told() {
    assert_eq!(swept(Seeds::range(1, 3), 1).marks_missing, ["never"]);
}

#[test]
fn a_panic_of_the_harness_names_its_seed_and_stops_nobody() {
    let broken = |plan: &Plan, options: &_| {
        assert!(
            plan.run_key != 4 || plan.scenario != "rows",
            "a judge contradicts itself"
        );
        run(plan, options)
    };
    let sweep = sweep(
        &harness(&broken),
        None,
        &options(Seeds::range(4, 6), 2),
        &mut |_| {},
    );
    assert!(!sweep.holds());
    assert_eq!(sweep.tally.seeds_count, 3);
    assert_eq!(sweep.crashes.len(), 1, "a seed is told once");
    assert_eq!(
        (sweep.crashes[0].scenario, sweep.crashes[0].seed),
        ("rows", 4)
    );
    assert!(sweep.crashes[0].message.contains("contradicts itself"));
}

#[test]
fn a_sweep_until_the_first_failure_ends_with_it() {
    let options = SweepOptions {
        until_failure: true,
        ..options(Seeds::range(1, 1_000), 4)
    };
    let sweep = sweep(&harness(&run), None, &options, &mut |_| {});
    // Seeds 1 and 2 of both scenarios, then seed 3 of the first one.
    assert_eq!(sweep.tally.seeds_count, 5);
    assert_eq!(sweep.failures.len(), 1);
    assert_eq!(sweep.failures[0].group.seed, 3);
}

#[test]
fn progress_counts_seeds_up_to_all_of_them() {
    let mut last = 0;
    let watch = &mut |step: Step<'_>| {
        if let Step::Seeds {
            done_count, count, ..
        } = step
        {
            assert!(done_count >= last, "{done_count} after {last}");
            assert_eq!(count, Some(180));
            last = done_count;
        }
    };
    sweep(
        &harness(&run),
        None,
        &options(Seeds::range(0, 90), 2),
        watch,
    );
    assert_eq!(last, 180);
}
