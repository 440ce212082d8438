//! Invariants of running again: a run that is not the same is found, and the first event that
//! differs is shown.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use cenotaph::check::Judge;
use cenotaph::cluster::RunOptions;
use cenotaph::explore::{Again, Elsewhere, Seeds, Told, between, sweep, verdict_word};
use cenotaph::plan::Plan;
use cenotaph::run::Outcome;

use super::sweeps::options;
use crate::synthetic::{harness, insert, one_plan, outcome, plan_of, run, violation};

/// A run in which a word of each fifth seed comes from outside.
fn leaking(plan: &Plan, options: &RunOptions, outside: &AtomicU64) -> Outcome {
    if plan.run_key != 5 {
        return run(plan, options);
    }
    let mut plan = plan.clone();
    let leak = outside.fetch_add(1, Ordering::Relaxed);
    let key = i64::try_from(leak).expect("small numbers fit") + 100_000;
    plan.clients[0].insert(4, insert(0, 0, key, key));
    plan.clients[0].truncate(usize::try_from(9 + leak % 5).expect("small numbers fit"));
    run(&plan, options)
}

#[test]
fn a_run_that_differs_on_another_thread_is_shown_at_its_first_event() {
    let outside = AtomicU64::new(0);
    let leaking = |plan: &Plan, options: &RunOptions| leaking(plan, options, &outside);
    let sweep = sweep(
        &harness(&leaking),
        None,
        &options(Seeds::range(4, 7), 1),
        &mut |_| {},
    );
    assert!(!sweep.holds());
    let told: Vec<_> = sweep
        .mismatches
        .iter()
        .map(|one| (one.scenario, one.seed, one.again))
        .collect();
    assert_eq!(
        told,
        [
            ("queues", 5, Again::OtherThread),
            ("rows", 5, Again::OtherThread)
        ]
    );
    let mismatch = &sweep.mismatches[0];
    assert_ne!(mismatch.first[0], mismatch.second[0]);
    let difference = mismatch.difference.as_ref().unwrap();
    assert!(difference.contains("differ from event"), "{difference}");
}

#[test]
fn a_verdict_alone_that_differs_is_found_too() {
    let flip = AtomicU64::new(0);
    let fickle = |plan: &Plan, options: &RunOptions| {
        outcome(
            plan,
            options,
            &|_| match flip.fetch_add(1, Ordering::Relaxed) {
                1 => vec![violation(Judge::Schema, None)],
                _ => Vec::new(),
            },
        )
    };
    let mut options = options(Seeds::range(5, 6), 1);
    options.scenarios.truncate(1);
    let sweep = sweep(&harness(&fickle), None, &options, &mut |_| {});
    assert_eq!(sweep.mismatches.len(), 1);
    let mismatch = &sweep.mismatches[0];
    assert_eq!(mismatch.first[0], mismatch.second[0]);
    assert_eq!(mismatch.first[1], "held");
    assert_eq!(mismatch.second[1], "schema/acknowledged-survives/row");
    assert_eq!(mismatch.difference, None);
}

#[test]
fn state_that_a_thread_keeps_from_run_to_run_is_found() {
    thread_local! {
        static RUNS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
    let keeping = |plan: &Plan, options: &RunOptions| {
        let mut plan = plan.clone();
        plan.run_key = RUNS.replace(RUNS.get() + 1);
        run(&plan, options)
    };
    let sweep = sweep(
        &harness(&keeping),
        None,
        &options(Seeds::range(0, 8), 1),
        &mut |_| {},
    );
    assert_eq!(
        sweep.mismatches.len(),
        16,
        "every seed meets another count of runs before it"
    );
}

/// Another process that is this one, apart from what it changes in the answer.
struct Beside {
    asked: Mutex<Vec<(u64, Option<Range<u64>>)>>,
    change: fn(&mut Plan),
    answers: bool,
}

impl Elsewhere for Beside {
    fn run(
        &self,
        scenario: &str,
        seed: u64,
        _bug: Option<&str>,
        window: Option<Range<u64>>,
    ) -> Result<Told, String> {
        self.asked
            .lock()
            .expect("no test panics while it asks")
            .push((seed, window.clone()));
        if !self.answers {
            return Err("it was killed".to_owned());
        }
        let mut plan = plan_of(scenario, seed);
        (self.change)(&mut plan);
        let outcome = run(
            &plan,
            &RunOptions {
                window,
                ..RunOptions::default()
            },
        );
        Ok(Told {
            fingerprint: outcome.fingerprint.to_string(),
            checkpoints: outcome.fingerprint.checkpoints().to_vec(),
            verdict: verdict_word(&outcome.verdict),
            recorded: outcome.recorded.iter().map(ToString::to_string).collect(),
        })
    }
}

fn beside(change: fn(&mut Plan), answers: bool) -> Beside {
    Beside {
        asked: Mutex::default(),
        change,
        answers,
    }
}

#[test]
fn the_first_of_each_64_seeds_is_run_in_another_process() {
    let process = beside(|_| {}, true);
    let options = options(Seeds::range(0, 65), 2);
    let sweep = sweep(&harness(&run), Some(&process), &options, &mut |_| {});
    assert_eq!(sweep.mismatches, []);
    assert_eq!(sweep.tally.processes_count, 3);
    let asked: Vec<u64> = process
        .asked
        .lock()
        .unwrap()
        .iter()
        .map(|(seed, _)| *seed)
        .collect();
    assert_eq!(asked, [0, 32, 64], "130 seeds, two of each number");
}

#[test]
fn a_process_that_answers_otherwise_is_shown_at_its_first_event() {
    let process = beside(|plan| plan.clients[0][7] = insert(0, 0, 0, 777), true);
    let options = options(Seeds::range(5, 6), 1);
    let sweep = sweep(&harness(&run), Some(&process), &options, &mut |_| {});
    // Same words, so the same fingerprint: what is printed of an event is not in it.
    assert_eq!(sweep.mismatches, []);
    let process = beside(|plan| plan.clients[0].truncate(7), true);
    let sweep = cenotaph::explore::sweep(&harness(&run), Some(&process), &options, &mut |_| {});
    assert_eq!(sweep.mismatches.len(), 1);
    let mismatch = &sweep.mismatches[0];
    assert_eq!(mismatch.again, Again::OtherProcess);
    let asked = process.asked.lock().unwrap();
    assert_eq!(
        asked[1],
        (5, Some(0..4096)),
        "the window in which they differ is recorded"
    );
    let difference = mismatch.difference.as_ref().unwrap();
    let count = |side: &str| {
        difference
            .lines()
            .filter(|line| line.starts_with(side))
            .count()
    };
    assert_eq!(
        (count("  both"), count("  first"), count("  second")),
        (6, 6, 6),
        "{difference}"
    );
}

#[test]
fn a_process_that_does_not_answer_is_a_difference() {
    let process = beside(|_| {}, false);
    let sweep = sweep(
        &harness(&run),
        Some(&process),
        &options(Seeds::range(1, 2), 1),
        &mut |_| {},
    );
    assert_eq!(sweep.mismatches.len(), 1);
    assert_eq!(sweep.mismatches[0].second[0], "no answer: it was killed");
}

#[test]
fn two_plans_are_compared_event_by_event() {
    let (left, mut right) = (one_plan(), one_plan());
    let (outcomes, difference) = between(&run, [&left, &left]);
    assert_eq!(outcomes[0].fingerprint, outcomes[1].fingerprint);
    assert_eq!(difference, None);
    right.clients[1].pop();
    let (_, difference) = between(&run, [&left, &right]);
    let operations_count: usize = left.clients.iter().map(Vec::len).sum();
    assert_eq!(difference.unwrap().index, operations_count as u64 - 1);
}
