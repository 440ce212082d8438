//! Steps of `run`: the plan of a seed, its knobs turned, run once and told.

use cenotaph_engine::planted::Plant;

use super::args::{RunArgs, WatchArgs};
use super::console::Console;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::files::{self, quoted};
use super::suggest::unknown;
use super::timeline::traced;
use crate::cluster::RunOptions;
use crate::explore::Entry;
use crate::plan::{Knobs, Plan};
use crate::report::{self, Finding};

pub(super) fn run(
    args: &RunArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let entry = scenario(context, &args.scenario)?;
    let bug = args.bug.as_deref().map(bug).transpose()?;
    let mut plan = context.harness.plan(entry.name, args.seed, bug);
    for setting in &args.set {
        turn(&mut plan.knobs, setting)?;
    }
    let file = match &args.output {
        Some(output) => Some(files::write(output, &plan)?),
        None => None,
    };
    let mut next = vec![again(entry.name, args.seed, &args.set, bug)];
    // A sweep of one seed keeps and shrinks it; it turns no knobs.
    if let (true, Some(end)) = (args.set.is_empty(), args.seed.checked_add(1)) {
        let (name, seed) = (entry.name, args.seed);
        let bug = bug.map(|bug| format!(" --bug {bug}")).unwrap_or_default();
        next.push(format!(
            "cenotaph explore {name} --seeds {seed}..{end}{bug} --keep failures"
        ));
    }
    if let Some(file) = &file {
        next = files::next(file, false);
        console.tell(&format!("the plan is in {file}\n"));
    }
    let options = RunOptions {
        window: args.window.clone(),
        ..RunOptions::default()
    };
    told(
        context,
        console,
        &args.watch,
        &Told {
            plan: &plan,
            seed: Some(args.seed),
            options,
            file: file.as_deref(),
            next,
        },
    )
}

/// The command that runs a seed again, event by event.
pub(super) fn again(scenario: &str, seed: u64, set: &[String], bug: Option<&str>) -> String {
    let mut again = format!("cenotaph run {scenario} --seed {seed}");
    again.extend(set.iter().map(|it| format!(" --set {}", quoted(it))));
    again.extend(bug.iter().map(|bug| format!(" --bug {bug}")));
    again.push_str(" --trace");
    again
}

/// A plan to run, and what its report names.
pub(super) struct Told<'a> {
    pub(super) plan: &'a Plan,
    /// The seed that makes it, as far as its operations and faults go.
    pub(super) seed: Option<u64>,
    pub(super) options: RunOptions,
    pub(super) file: Option<&'a str>,
    pub(super) next: Vec<String>,
}

/// Runs a plan and tells what came of it.
pub(super) fn told(
    context: &Context<'_>,
    console: &mut Console<'_>,
    watch: &WatchArgs,
    told: &Told<'_>,
) -> Result<u8, CliError> {
    let run = context.harness.run;
    let outcome = match watch.trace {
        false => run(told.plan, &told.options),
        true => {
            let (outcome, timeline) = traced(run, told.plan, &told.options);
            match watch.json {
                false => console.print(&format!("{}\n", timeline.render()))?,
                true => {
                    for line in timeline.lines() {
                        let text = line.to_string();
                        console.object(&serde_json::json!({ "type": "line", "text": text }))?;
                    }
                }
            }
            outcome
        }
    };
    if watch.json {
        console.object(&report::outcome_json(told.plan, &outcome, told.seed))?;
    } else {
        console.print(&report::outcome(told.plan, &outcome, told.seed))?;
        if !outcome.verdict.holds() {
            let finding = Finding {
                plan: told.plan,
                outcome: &outcome,
                commit: context.commit,
                file: told.file,
                next: &told.next,
                seed: told.seed,
                group: None,
                shrunk: None,
            };
            console.print(&format!("\n{}", report::failure(&finding)))?;
        }
    }
    Ok(if outcome.verdict.holds() {
        HELD
    } else {
        VIOLATED
    })
}

/// The scenario of that name.
pub(super) fn scenario(context: &Context<'_>, name: &str) -> Result<Entry, CliError> {
    let known = || context.harness.scenarios.iter().map(|entry| entry.name);
    context
        .harness
        .find(name)
        .ok_or_else(|| unknown("scenario", name, known()))
}

/// The planted bug of that name, as plans write it.
pub(super) fn bug(name: &str) -> Result<&'static str, CliError> {
    let known = Plant::ALL.iter().map(|plant| plant.name());
    name.parse()
        .map(Plant::name)
        .map_err(|_| unknown("planted bug", name, known))
}

pub(super) fn turn(knobs: &mut Knobs, setting: &str) -> Result<(), CliError> {
    let (name, value) = setting
        .split_once('=')
        .ok_or_else(|| CliError::Argument(format!("--set `{setting}`: expected `knob=value`")))?;
    let names = Knobs::names();
    if !names.iter().any(|known| known == name) {
        return Err(unknown("knob", name, names.iter().map(String::as_str)));
    }
    Ok(knobs.set(name, value)?)
}
