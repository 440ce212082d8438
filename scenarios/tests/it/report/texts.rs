//! Invariants of reports as texts: goldens of fixed inputs.

use std::num::NonZeroUsize;
use std::time::Duration;

use cenotaph::check::Judge;
use cenotaph::cluster::RunOptions;
use cenotaph::explore::{
    Again, Cost, Crash, Hunt, HuntOptions, Mismatch, Seeds, Sweep, SweepOptions, between, hunt,
    sweep,
};
use cenotaph::history::Event;
use cenotaph::plan::Plan;
use cenotaph::report::{self, Finding};
use cenotaph::shrink::{ShrinkOptions, shrink};
use cenotaph_snapshots::golden;

use crate::synthetic::{SCENARIOS, harness, one_plan, run, violation};

const COMMIT: &str = "0123456789ab";
const FILE: &str = "failures/rows-3.json";
const COST: Cost = Cost {
    wall: Duration::from_millis(2_500),
    cpu: Duration::from_millis(4_000),
};

fn swept() -> Sweep {
    let options = SweepOptions {
        scenarios: SCENARIOS.to_vec(),
        seeds: Seeds::range(0, 120),
        shard: "1/2".parse().expect("a shard"),
        jobs: NonZeroUsize::MIN,
        bug: Some("P02".to_owned()),
        twice: true,
        until_failure: false,
        shrink_runs_max: 1_000,
    };
    let mut sweep = sweep(&harness(&run), None, &options, &mut |_| {});
    sweep.cost = COST;
    sweep.mismatches.push(mismatch());
    sweep.faults_missing.push("partition");
    let message = "an objection is one judge's matter".to_owned();
    sweep.crashes.push(Crash {
        scenario: "rows",
        seed: 8,
        message,
    });
    sweep
}

fn mismatch() -> Mismatch {
    let (left, mut right) = (one_plan(), one_plan());
    right.clients[0].truncate(3);
    let (outcomes, difference) = between(&run, [&left, &right]);
    Mismatch {
        scenario: "rows",
        seed: 3,
        bug: Some("P02".to_owned()),
        again: Again::OtherThread,
        first: [outcomes[0].fingerprint.to_string(), "held".to_owned()],
        second: [outcomes[1].fingerprint.to_string(), "held".to_owned()],
        difference: difference.map(|difference| difference.to_string()),
    }
}

#[test]
fn a_failure_ends_with_the_commands_to_type_next() {
    let options = ShrinkOptions {
        runs_max: 5_000,
        threads: NonZeroUsize::MIN,
    };
    let shrunk = shrink(&run, &one_plan(), options, &mut |_| {}).unwrap();
    let text = report::failure(&Finding {
        plan: &shrunk.plan,
        outcome: &shrunk.outcome,
        commit: COMMIT,
        file: Some(FILE),
        next: &["cenotaph replay failures/rows-3.json --trace".to_owned()],
        seed: Some(3),
        group: None,
        shrunk: Some((shrunk.before, shrunk.runs_count, shrunk.is_minimal)),
    });
    golden!(
        "scenarios/report",
        "failure_shrunk",
        "A shrunk failure names seed, commit, file, sizes, fault, events, and what to type next.",
        text
    );
}

#[test]
fn a_failure_shows_the_events_around_its_violation() {
    let plan = Plan {
        bug: Some("P02".to_owned()),
        ..one_plan()
    };
    let outcome = run(&plan, &RunOptions::default());
    let sweep = swept();
    let text = report::failure(&Finding {
        plan: &plan,
        outcome: &outcome,
        commit: COMMIT,
        file: None,
        next: &["cenotaph run rows --seed 3 --bug P02 --trace".to_owned()],
        seed: Some(sweep.failures[1].group.seed),
        group: Some(&sweep.failures[1].group),
        shrunk: None,
    });
    golden!(
        "scenarios/report",
        "failure_whole",
        "The answer that shows the violation is marked, with twelve events before and two after.",
        text
    );
}

#[test]
fn a_sweep_fits_a_screen() {
    let sweep = swept();
    let text = format!(
        "{}{}",
        report::summary(&sweep),
        report::rates(&sweep.tally, COST)
    );
    assert!(text.lines().count() <= 24, "{text}");
    golden!(
        "scenarios/report",
        "sweep_with_everything_wrong",
        "What is wrong stands in the first line and at the end; rates are per core-second.",
        text
    );
}

#[test]
fn a_difference_shows_both_sides() {
    golden!(
        "scenarios/report",
        "not_deterministic",
        "A run that was another run when repeated, from the first event that differs.",
        report::mismatch(&mismatch(), COMMIT)
    );
    let (left, mut right) = (one_plan(), one_plan());
    right.clients[1].truncate(20);
    let (outcomes, difference) = between(&run, [&left, &right]);
    let names = ["left.json", "right.json"];
    golden!(
        "scenarios/report",
        "comparison",
        "Two plans, what came of each, and where their runs part.",
        report::comparison(names, [&outcomes[0], &outcomes[1]], difference.as_ref())
    );
}

#[test]
fn a_run_is_told_in_a_few_lines() {
    let plan = one_plan();
    golden!(
        "scenarios/report",
        "outcome",
        "A run by its plan, fingerprint, verdict and counts, and the faults that never struck.",
        report::outcome(&plan, &run(&plan, &RunOptions::default()), Some(3))
    );
}

#[test]
fn planted_bugs_are_a_table() {
    let options = HuntOptions {
        scenarios: SCENARIOS.to_vec(),
        bug: "P02".to_owned(),
        seed_start: 1,
        cpu_max: Duration::from_secs(60),
        jobs: NonZeroUsize::MIN,
        shrink_runs_max: 1_000,
    };
    let buggy = |plan: &Plan, options: &_| {
        let mut outcome = run(plan, options);
        if plan.bug.is_none() {
            outcome.verdict.violations.clear();
        }
        outcome
    };
    let mut found = hunt(&harness(&buggy), &options, &mut |_| {});
    found.cpu = Duration::from_millis(340);
    let missed = Hunt {
        bug: "P05".to_owned(),
        seeds_count: 12_345,
        cpu: Duration::from_secs(60),
        innocent_count: 0,
        crashes: Vec::new(),
        found: None,
    };
    golden!(
        "scenarios/report",
        "planted",
        "Each planted bug with its judge, scenario, seeds to detection, cost and smallest plan.",
        report::planted(&[found, missed])
    );
}

#[test]
fn programs_get_one_object_a_line() {
    let (sweep, plan) = (swept(), one_plan());
    let options = RunOptions {
        window: Some(0..2),
        ..RunOptions::default()
    };
    let objects = [
        report::mismatch_json(&sweep.mismatches[0], COMMIT),
        report::failure_json(&sweep.failures[0], Some(FILE), COMMIT),
        report::sweep_json(&sweep, COMMIT),
        report::outcome_json(&plan, &run(&plan, &options), None),
    ];
    assert!(
        objects
            .iter()
            .all(|object| object.to_string().lines().count() == 1)
    );
    let texts = objects
        .iter()
        .map(|object| serde_json::to_string_pretty(object).unwrap() + "\n");
    golden!(
        "scenarios/report",
        "objects",
        "The keys of each kind of object, one object after the other.",
        texts.collect::<String>()
    );
}

#[test]
fn a_failure_of_the_node_is_shown_where_that_incarnation_ended() {
    let mut outcome = run(&one_plan(), &RunOptions::default());
    let mut last = outcome.facts.ended_at;
    for (incarnation, error) in [(1, "disk full"), (2, "manifest is corrupt")] {
        let (booting_at, at) = (last, last.after(Duration::from_millis(1)));
        outcome.history.push(Event::Booting {
            at: booting_at,
            incarnation,
        });
        let error = Some(error.to_owned());
        outcome.history.push(Event::Exited {
            at,
            incarnation,
            error,
        });
        last = at;
    }
    let mut stopped = violation(Judge::Boot, None);
    stopped.detail = "n1/2 stops while it boots: manifest is corrupt".to_owned();
    outcome.verdict.violations = vec![stopped];
    let text = report::failure(&Finding {
        plan: &one_plan(),
        outcome: &outcome,
        commit: COMMIT,
        file: None,
        next: &["cenotaph run rows --seed 3 --trace".to_owned()],
        seed: None,
        group: None,
        shrunk: None,
    });
    let marked: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  > "))
        .collect();
    assert_eq!(marked.len(), 1, "{text}");
    assert!(
        marked[0].ends_with("n1/2 stops: manifest is corrupt"),
        "{text}"
    );
}

#[test]
fn a_long_violation_is_told_whole_and_the_blamed_operation_with_it() {
    let plan = one_plan();
    let mut outcome = run(&plan, &RunOptions::default());
    let violations = &mut outcome.verdict.violations;
    violations[0].detail = "k.t0 misses a row ".repeat(40) + "and that is the reason";
    let blamed = violations[0].operation.expect("an answer is blamed");
    // Its answer comes long after it began.
    let mut late = outcome.clone();
    late.history = cenotaph::history::History::default();
    let (first, others): (Vec<_>, Vec<_>) = outcome.history.events().iter().cloned().partition(
        |event| matches!(event, Event::Invoked { operation, .. } if *operation == blamed),
    );
    let start = others[0].at();
    for event in first {
        let Event::Invoked {
            operation, what, ..
        } = event
        else {
            continue;
        };
        let at = start;
        late.history.push(Event::Invoked {
            at,
            operation,
            what,
        });
    }
    others
        .into_iter()
        .for_each(|event| late.history.push(event));
    let text = report::failure(&Finding {
        plan: &plan,
        outcome: &late,
        commit: COMMIT,
        file: None,
        next: &["cenotaph run rows --seed 3 --trace".to_owned()],
        seed: None,
        group: None,
        shrunk: None,
    });
    golden!(
        "scenarios/report",
        "failure_long",
        "The reason is told to its end; the blamed operation's first event is shown, far away.",
        text
    );
}
