//! Steps of `replay`: read a plan, run it, tell it.

use super::args::ReplayArgs;
use super::console::Console;
use super::entry::Context;
use super::error::CliError;
use super::files;
use super::run::{Told, bug, scenario, told};
use crate::cluster::RunOptions;
use crate::plan::Plan;

pub(super) fn replay(
    args: &ReplayArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let plan = read(context, &args.plan)?;
    let file = args.plan.display().to_string();
    let options = RunOptions::default();
    let plan = Told {
        plan: &plan,
        seed: seed_of(context, &plan),
        options,
        file: Some(&file),
        next: files::next(&file, false),
    };
    told(context, console, &args.watch, &plan)
}

/// The seed that makes a plan; none when somebody wrote or changed it.
pub(super) fn seed_of(context: &Context<'_>, plan: &Plan) -> Option<u64> {
    let seed = plan.run_key;
    let made = context
        .harness
        .plan(&plan.scenario, seed, plan.bug.as_deref());
    (made == *plan).then_some(seed)
}

/// Reads a plan that this program can run: it knows the scenario and the planted bug.
pub(super) fn read(context: &Context<'_>, path: &std::path::Path) -> Result<Plan, CliError> {
    let mut plan = files::read(path)?;
    let named = |error| CliError::Argument(format!("{}: {error}", path.display()));
    scenario(context, &plan.scenario).map_err(named)?;
    if let Some(name) = &plan.bug {
        plan.bug = Some(bug(name).map_err(named)?.to_owned());
    }
    Ok(plan)
}
