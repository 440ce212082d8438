//! Steps of `shrink`: read a plan, shrink it, write the smaller one, tell the difference.

use super::args::ShrinkArgs;
use super::console::Console;
use super::entry::{Context, HELD};
use super::error::CliError;
use super::files;
use super::meter::{Meter, threads};
use super::replay::{read, seed_of};
use crate::report::{self, Finding};
use crate::shrink::{self as reduce, ShrinkOptions};

pub(super) fn shrink(
    args: &ShrinkArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let plan = read(context, &args.plan)?;
    files::probe(&args.output)?;
    let seed = seed_of(context, &plan);
    let options = ShrinkOptions {
        runs_max: args.runs,
        threads: threads(args.jobs),
    };
    let mut meter = Meter::new(console, None);
    let shrunk = reduce::shrink(context.harness.run, &plan, options, &mut |progress| {
        meter.shrinks(progress);
    });
    drop(meter);
    let file = args.plan.display().to_string();
    let shrunk = shrunk.map_err(|cause| CliError::Shrink { file, cause })?;
    let file = files::write(&args.output, &shrunk.plan)?;
    if args.json {
        let mut object = report::outcome_json(&shrunk.plan, &shrunk.outcome, seed);
        object["type"] = "shrunk".into();
        object["file"] = file.into();
        object["shrink_runs"] = shrunk.runs_count.into();
        object["minimal"] = shrunk.is_minimal.into();
        console.object(&object)?;
        return Ok(HELD);
    }
    console.print(&report::failure(&Finding {
        plan: &shrunk.plan,
        outcome: &shrunk.outcome,
        commit: context.commit,
        next: &files::next(&file, shrunk.is_minimal),
        file: Some(&file),
        seed,
        group: None,
        shrunk: Some((shrunk.before, shrunk.runs_count, shrunk.is_minimal)),
    }))?;
    Ok(HELD)
}
