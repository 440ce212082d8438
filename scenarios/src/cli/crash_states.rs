//! Steps of `crash-states`: the plan of a seed, all states that a power cut may leave of its run, or one of them, each
//! recovered from and told.

use cenotaph_sim::trace::{Timeline, watch};
use tracing::Level;

use super::args::CrashStatesArgs;
use super::console::Console;
use super::entry::{Context, HELD, VIOLATED};
use super::error::CliError;
use super::files::quoted;
use super::meter::{Meter, threads};
use super::run::{bug, scenario, turn};
use crate::cluster::RunOptions;
use crate::explore::{
    CrashStates, CrashStatesOptions, FoundState, StateName, crash_state, crash_states as search,
};
use crate::plan::Plan;
use crate::report::{self, Finding};
use crate::run::Outcome;

/// Kinds of failure that are told at length; the others are named.
const FAILURES_TOLD: usize = 3;

pub(super) fn crash_states(
    args: &CrashStatesArgs,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let entry = scenario(context, &args.scenario)?;
    let bug = args.bug.as_deref().map(bug).transpose()?;
    let mut plan = context.harness.plan(entry.name, args.seed, bug);
    for setting in &args.set {
        turn(&mut plan.knobs, setting)?;
    }
    if let Some(name) = args.state {
        return one(args, name, &plan, context, console);
    }
    let options = CrashStatesOptions {
        bound: args.bound,
        states_max: args.states,
        jobs: threads(args.jobs),
    };
    let mut meter = Meter::new(console, None);
    let found = search(&plan, &options, &mut |done, all, failing| {
        meter.states(done, all, failing);
    });
    drop(meter);
    if args.json {
        console.object(&report::crash_states_json(
            &plan, args.seed, &options, &found,
        ))?;
    } else {
        console.print(&report::crash_states(&plan, args.seed, &options, &found))?;
    }
    tell_failures(args, &plan, &found, context, console)?;
    for (moment, panicked) in &found.panics {
        console.tell(&format!(
            "error: at moment {moment} the harness panicked: {}\n",
            panicked.0
        ));
    }
    Ok(if found.holds() { HELD } else { VIOLATED })
}

fn tell_failures(
    args: &CrashStatesArgs,
    plan: &Plan,
    found: &CrashStates,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    for (index, failure) in found.failures.iter().enumerate() {
        let next = next(args, failure.first.name, plan);
        if args.json {
            console.object(&report::bad_state_json(failure, &next))?;
            continue;
        }
        console.print(&format!("\n{}", report::bad_state(failure)))?;
        match index < FAILURES_TOLD {
            true => console.print(&told(args, plan, &failure.outcome, context, &[next]))?,
            false => console.print(&format!("next\n  {next}\n"))?,
        }
    }
    Ok(())
}

/// Recovers from one state, and tells it.
fn one(
    args: &CrashStatesArgs,
    name: StateName,
    plan: &Plan,
    context: &Context<'_>,
    console: &mut Console<'_>,
) -> Result<u8, CliError> {
    let found = crash_state(plan, name, args.bound).ok_or_else(|| {
        let bound = args.bound;
        CliError::Argument(format!(
            "the run has no crash state `{name}` within the bound {bound}: the scenario, the seed, the \
             knobs, the bug and the bound are part of its name"
        ))
    })?;
    let timeline = Timeline::new();
    let outcome = recover(&found, args.trace, &timeline);
    let plan = found.plan();
    if args.json {
        for line in timeline.lines() {
            let text = line.to_string();
            console.object(&serde_json::json!({ "type": "line", "text": text }))?;
        }
        console.object(&report::outcome_json(plan, &outcome, None))?;
    } else {
        if args.trace {
            console.print(&format!("{}\n", timeline.render()))?;
        }
        console.print(&report::state(&found.state))?;
        console.print(&report::outcome(plan, &outcome, None))?;
    }
    if outcome.verdict.holds() {
        return Ok(HELD);
    }
    if !args.json {
        let next = [next(args, name, plan)];
        console.print(&format!("\n{}", told(args, plan, &outcome, context, &next)))?;
    }
    Ok(VIOLATED)
}

fn recover(found: &FoundState, is_traced: bool, timeline: &Timeline) -> Outcome {
    if !is_traced {
        return found.recover(&RunOptions::default());
    }
    let options = RunOptions {
        observed: true,
        ..RunOptions::default()
    };
    watch(timeline.layer(Level::DEBUG), || found.recover(&options))
}

fn told(
    args: &CrashStatesArgs,
    plan: &Plan,
    outcome: &Outcome,
    context: &Context<'_>,
    next: &[String],
) -> String {
    report::failure(&Finding {
        plan,
        outcome,
        commit: context.commit,
        file: None,
        next,
        seed: Some(args.seed),
        group: None,
        shrunk: None,
    })
}

/// The command that recovers from a state again, event by event.
fn next(args: &CrashStatesArgs, name: StateName, plan: &Plan) -> String {
    let (scenario, seed, bound) = (&args.scenario, args.seed, args.bound);
    let mut next = format!("cenotaph crash-states {scenario} --seed {seed} --bound {bound}");
    next.extend(args.set.iter().map(|it| format!(" --set {}", quoted(it))));
    next.extend(plan.bug.iter().map(|bug| format!(" --bug {bug}")));
    next + &format!(" --state {name} --trace")
}
