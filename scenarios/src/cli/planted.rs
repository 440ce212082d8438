//! Steps of `planted`: hunt each planted bug through the seeds of the scenarios that are to find it, keep
//! the plan that shows it, tell the table.

use cenotaph_engine::planted::Plant;
use serde_json::json;

use super::args::PlantedArgs;
use super::console::Console;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::explore::SHRINK_RUNS_MAX;
use super::files::{self, quoted};
use super::meter::{Meter, threads};
use super::run::bug;
use crate::explore::{Entry, Hunt, HuntOptions, hunt};
use crate::report;

pub(super) fn planted(
    args: &PlantedArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let bugs = args
        .bugs
        .iter()
        .map(|name| bug(name))
        .collect::<Result<Vec<_>, _>>()?;
    let bugs = match bugs.is_empty() {
        true => Plant::ALL
            .into_iter()
            .filter(|plant| !homes(context.harness.scenarios, plant.name()).is_empty())
            .map(Plant::name)
            .collect(),
        false => bugs,
    };
    if args.list {
        return catalogue(args, context, console, &bugs);
    }
    files::probe_folder(&args.keep)?;
    let mut hunts: Vec<Hunt> = Vec::new();
    let mut files = Vec::new();
    for bug in bugs {
        let options = HuntOptions {
            scenarios: hunting_grounds(context.harness.scenarios, bug),
            bug: bug.to_owned(),
            seed_start: 0,
            cpu_max: args.budget,
            jobs: threads(args.jobs),
            shrink_runs_max: SHRINK_RUNS_MAX,
        };
        let mut meter = Meter::new(console, None);
        let hunt = hunt(&context.harness, &options, &mut |step| meter.step(step));
        drop(meter);
        let file = kept(args, &hunt).unwrap_or_else(|error| {
            console.tell(&format!("error: {error}\n"));
            None
        });
        if args.json {
            console.object(&report::hunt_json(&hunt, file.as_deref()))?;
        }
        files.extend(file.map(|file| (bug, file)));
        hunts.push(hunt);
    }
    if !args.json {
        console.print(&report::planted(&hunts))?;
        for (bug, file) in &files {
            console.print(&format!(
                "{bug}  cenotaph replay {} --trace\n",
                quoted(file)
            ))?;
        }
    }
    let all_found = hunts
        .iter()
        .all(|hunt| hunt.found.is_some() && hunt.crashes.is_empty());
    Ok(if all_found { HELD } else { VIOLATED })
}

/// What the bugs are, without a run.
fn catalogue(
    args: &PlantedArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
    bugs: &[&'static str],
) -> Result<u8, CliError> {
    for bug in bugs {
        let plant: Plant = bug.parse().expect("a name of the catalogue");
        let homes: Vec<&str> = homes(context.harness.scenarios, bug)
            .iter()
            .map(|entry| entry.name)
            .collect();
        if args.json {
            console.object(&json!({
                "type": "bug",
                "bug": bug,
                "description": plant.description(),
                "source": plant.source(),
                "scenarios": homes,
            }))?;
            continue;
        }
        let homes = match homes.is_empty() {
            true => String::new(),
            false => format!("; hunted in {}", homes.join(" ")),
        };
        console.print(&format!(
            "{bug}  {}\n     {}{homes}\n",
            plant.description(),
            plant.source()
        ))?;
    }
    Ok(HELD)
}

/// The scenarios that are to find a bug.
pub(super) fn homes(scenarios: &[Entry], bug: &str) -> Vec<Entry> {
    let is_home = |entry: &&Entry| entry.bugs.iter().any(|plant| plant.name() == bug);
    scenarios.iter().filter(is_home).copied().collect()
}

/// Where a bug is hunted: in all scenarios when none says that it finds it.
fn hunting_grounds(scenarios: &[Entry], bug: &str) -> Vec<Entry> {
    let homes = homes(scenarios, bug);
    match homes.is_empty() {
        true => scenarios.to_vec(),
        false => homes,
    }
}

fn kept(args: &PlantedArgs, hunt: &Hunt) -> Result<Option<String>, CliError> {
    let Some(found) = &hunt.found else {
        return Ok(None);
    };
    let plan = found
        .shrunk
        .as_ref()
        .map_or(&found.plan, |shrunk| &shrunk.plan);
    files::keep(&args.keep, plan, found.seed).map(Some)
}
