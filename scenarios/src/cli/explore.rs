//! Steps of `explore`: sweep, keep the plans that fail, tell failures, differences and sums.

use super::args::ExploreArgs;
use super::console::Console;
use super::elsewhere::OtherProcess;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::files;
use super::keeper::Keeper;
use super::meter::{Meter, threads};
use super::planted::homes;
use super::run::{again, bug, scenario};
use crate::explore::{
    self as search, Elsewhere, Entry, Failure, Seeds, Shard, Sweep, SweepOptions,
};
use crate::pool::unix_seconds;
use crate::report::{self, Finding};

/// Runs to spend on shrinking each failure, at most.
pub(super) const SHRINK_RUNS_MAX: u32 = 5_000;

/// Fresh seeds begin at the second of the call, and a second has room for so many.
const SEEDS_PER_SECOND: u64 = 1_000;

/// Failures that are told at length; the others are kept and named.
const FAILURES_TOLD: usize = 3;

pub(super) fn explore(
    args: &ExploreArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let options = options(args, context)?;
    tell_homes(&options, context, console);
    let elsewhere = context.executable.clone().map(OtherProcess);
    let elsewhere = elsewhere.as_ref().map(|process| process as &dyn Elsewhere);
    let mut keeper = Keeper::new(&args.keep)?;
    let mut meter = Meter::new(console, args.duration);
    let sweep = search::sweep(&context.harness, elsewhere, &options, &mut |step| {
        keeper.step(&step);
        meter.step(step);
    });
    drop(meter);
    // The failures are told all the same, by their seeds.
    for error in &keeper.errors {
        console.tell(&format!("error: {error}\n"));
    }
    tell(args, context, console, &sweep, &keeper)?;
    Ok(if sweep.holds() { HELD } else { VIOLATED })
}

/// A bug that is hunted elsewhere may never show here: better told before the work than after it.
fn tell_homes(options: &SweepOptions, context: &Context<'_>, console: &mut Console<'_>) {
    let Some(bug) = &options.bug else {
        return;
    };
    let homes = homes(context.harness.scenarios, bug);
    if homes.is_empty() || homes.iter().any(|home| options.scenarios.contains(home)) {
        return;
    }
    let homes: Vec<&str> = homes.iter().map(|home| home.name).collect();
    let homes = homes.join(" ");
    console.tell(&format!(
        "note: {bug} is hunted in {homes}, and may never show elsewhere: \
         cenotaph explore {homes} --bug {bug}\n"
    ));
}

fn options(args: &ExploreArgs, context: &Context<'_>) -> Result<SweepOptions, CliError> {
    let mut scenarios: Vec<Entry> = Vec::new();
    for name in &args.scenarios {
        let entry = scenario(context, name)?;
        // Named twice, it is still one scenario.
        if !scenarios.contains(&entry) {
            scenarios.push(entry);
        }
    }
    if scenarios.is_empty() {
        scenarios = context.harness.scenarios.to_vec();
    }
    let seeds = match args.duration {
        None => Seeds::range(args.seeds.start, args.seeds.end),
        Some(_) => Seeds {
            start: unix_seconds() * SEEDS_PER_SECOND,
            end: None,
            wall_max: args.duration,
            cpu_max: None,
        },
    };
    if seeds.items_count(args.shard, scenarios.len()) == Some(0) {
        let Shard { index, count } = args.shard;
        return Err(CliError::Argument(format!(
            "shard {index}/{count} has none of the seeds {seeds}: nothing would be run"
        )));
    }
    Ok(SweepOptions {
        scenarios,
        seeds,
        shard: args.shard,
        jobs: threads(args.jobs),
        bug: args.bug.as_deref().map(bug).transpose()?.map(str::to_owned),
        twice: !args.once,
        until_failure: false,
        shrink_runs_max: SHRINK_RUNS_MAX,
    })
}

fn tell(
    args: &ExploreArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
    sweep: &Sweep,
    keeper: &Keeper<'_>,
) -> Result<(), CliError> {
    for mismatch in &sweep.mismatches {
        match args.json {
            true => console.object(&report::mismatch_json(mismatch, context.commit))?,
            false => console.print(&format!("{}\n", report::mismatch(mismatch, context.commit)))?,
        }
    }
    for (index, failure) in sweep.failures.iter().enumerate() {
        let file = keeper.file(&failure.group);
        if args.json {
            console.object(&report::failure_json(failure, file, context.commit))?;
            continue;
        }
        let text = match &failure.shrunk {
            Some(shrunk) if index < FAILURES_TOLD => report::failure(&Finding {
                plan: &shrunk.plan,
                outcome: &shrunk.outcome,
                commit: context.commit,
                next: &next(failure, file),
                file,
                seed: Some(failure.group.seed),
                group: Some(&failure.group),
                shrunk: Some((shrunk.before, shrunk.runs_count, shrunk.is_minimal)),
            }),
            _ => format!(
                "FAILED {}\n  {}, seed {}: {}\n",
                failure.group.identity,
                failure.group.scenario,
                failure.group.seed,
                file.unwrap_or("not kept")
            ),
        };
        console.print(&format!("{text}\n"))?;
    }
    match args.json {
        true => console.object(&report::sweep_json(sweep, context.commit)),
        false => {
            console.print(&report::summary(sweep))?;
            console.print(&report::rates(&sweep.tally, sweep.cost))
        }
    }
}

/// The commands to type next: they work on the file, or on the seed when there is none.
fn next(failure: &Failure, file: Option<&str>) -> Vec<String> {
    let group = &failure.group;
    let Some(file) = file else {
        let bug = failure.plan.bug.as_deref();
        return vec![again(group.scenario, group.seed, &[], bug)];
    };
    let is_minimal = failure.shrunk.as_ref().is_some_and(|it| it.is_minimal);
    files::next(file, is_minimal)
}
