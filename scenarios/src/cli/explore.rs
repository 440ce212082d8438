//! Steps of `explore`: sweep, keep the plans that fail, tell failures, differences and sums.

use super::args::ExploreArgs;
use super::console::Console;
use super::elsewhere::OtherProcess;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::files;
use super::meter::{Meter, threads};
use super::run::{bug, scenario};
use crate::explore::{self as search, Elsewhere, Failure, Seeds, Sweep, SweepOptions};
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
    let elsewhere = context.executable.clone().map(OtherProcess);
    let elsewhere = elsewhere.as_ref().map(|process| process as &dyn Elsewhere);
    let mut meter = Meter::new(console, args.duration);
    let sweep = search::sweep(&context.harness, elsewhere, &options, &mut |step| {
        meter.step(step)
    });
    drop(meter);
    tell(args, context, console, &sweep)?;
    Ok(if sweep.holds() { HELD } else { VIOLATED })
}

fn options(args: &ExploreArgs, context: &Context<'_>) -> Result<SweepOptions, CliError> {
    let named = args.scenarios.iter().map(|name| scenario(context, name));
    let mut scenarios = named.collect::<Result<Vec<_>, _>>()?;
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
    Ok(SweepOptions {
        scenarios,
        seeds,
        shard: args.shard,
        jobs: threads(args.jobs),
        bug: args.bug.as_deref().map(bug).transpose()?.map(str::to_owned),
        twice: true,
        until_failure: false,
        shrink_runs_max: SHRINK_RUNS_MAX,
    })
}

fn tell(
    args: &ExploreArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
    sweep: &Sweep,
) -> Result<(), CliError> {
    for mismatch in &sweep.mismatches {
        match args.json {
            true => console.object(&report::mismatch_json(mismatch, context.commit))?,
            false => console.print(&format!("{}\n", report::mismatch(mismatch, context.commit)))?,
        }
    }
    for (index, failure) in sweep.failures.iter().enumerate() {
        let file = files::keep(&args.keep, smallest(failure), failure.group.seed)?;
        let text = match (args.json, &failure.shrunk) {
            (true, _) => {
                console.object(&report::failure_json(failure, Some(&file), context.commit))?;
                continue;
            }
            (false, Some(shrunk)) if index < FAILURES_TOLD => report::failure(&Finding {
                plan: &shrunk.plan,
                outcome: &shrunk.outcome,
                commit: context.commit,
                again: &format!("cenotaph replay {file} --trace"),
                file: Some(&file),
                group: Some(&failure.group),
                shrunk: Some((shrunk.before, shrunk.runs_count, shrunk.is_minimal)),
            }),
            (false, _) => format!(
                "FAILED {}\n  {}, seed {}: {file}\n",
                failure.group.identity, failure.group.scenario, failure.group.seed
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

/// The plan to keep of a failure.
fn smallest(failure: &Failure) -> &crate::plan::Plan {
    failure
        .shrunk
        .as_ref()
        .map_or(&failure.plan, |shrunk| &shrunk.plan)
}
