//! Steps of telling crash states: how many there are, how many were recovered from, and those that fail.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::numbers::{counted, grouped};
use crate::explore::{BadStates, CrashStates, CrashStatesOptions, State};
use crate::plan::Plan;

/// A search in a few lines; what fails is told by [`bad_state`].
#[must_use]
pub fn crash_states(
    plan: &Plan,
    seed: u64,
    options: &CrashStatesOptions,
    found: &CrashStates,
) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<13}{value}");
    };
    line("scenario", plan.scenario.clone());
    line("seed", seed.to_string());
    if let Some(bug) = &plan.bug {
        line("planted bug", bug.clone());
    }
    line("bound", counted(options.bound.into(), "register"));
    let (moments, merged) = (found.moments_count as u128, found.moments_merged.into());
    let (moments, merged) = (grouped(moments), grouped(merged));
    line(
        "moments",
        format!("{moments} at which the power may be cut; {merged} leave what another leaves"),
    );
    let cut = match found.is_cut {
        true => "; some histories have more than are listed",
        false => "",
    };
    let (states, images) = (grouped(found.states_count.into()), found.images_count);
    line(
        "states",
        format!("{states} in {}{cut}", counted(images, "image")),
    );
    let recovered = counted(found.recovered_count, "state");
    line(
        "recovered",
        format!("{recovered}, each booted and read twice"),
    );
    line("fingerprint", format!("{:016x}", found.fingerprint));
    let failing = found.failures.iter().map(|failure| failure.count).sum();
    let (kinds, failing) = (
        counted(found.failures.len() as u64, "kind"),
        counted(failing, "state"),
    );
    line(
        "verdict",
        match found.holds() {
            true => "all held".to_owned(),
            false => format!("{kinds} of failure, in {failing}"),
        },
    );
    text
}

/// One state.
#[must_use]
pub fn state(state: &State) -> String {
    format!(
        "crash state  {}\ncut after    {}\nsurvived     {}\n",
        state.name, state.request, state.survived
    )
}

/// A kind of failure: the first state that shows it, and how many do.
#[must_use]
pub fn bad_state(failure: &BadStates) -> String {
    let states = counted(failure.count, "state");
    format!(
        "{}failing so   {states}: {}\n",
        state(&failure.first),
        failure.identity
    )
}

/// A search, for programs.
#[must_use]
pub fn crash_states_json(
    plan: &Plan,
    seed: u64,
    options: &CrashStatesOptions,
    found: &CrashStates,
) -> Value {
    let panics = found.panics.iter();
    let panics =
        panics.map(|(moment, panicked)| json!({ "moment": moment, "message": panicked.0 }));
    json!({
        "type": "crash_states",
        "scenario": plan.scenario,
        "seed": seed,
        "bug": plan.bug,
        "bound": options.bound,
        "states_max": options.states_max,
        "moments": found.moments_count,
        "moments_merged": found.moments_merged,
        "images": found.images_count,
        "states": found.states_count,
        "is_cut": found.is_cut,
        "recovered": found.recovered_count,
        "fingerprint": format!("{:016x}", found.fingerprint),
        "holds": found.holds(),
        "failures": found.failures.len(),
        "panics": panics.collect::<Vec<_>>(),
    })
}

/// A kind of failure, for programs.
#[must_use]
pub fn bad_state_json(failure: &BadStates, next: &str) -> Value {
    let violations = failure.outcome.verdict.violations.iter();
    let violations = violations.map(ToString::to_string);
    json!({
        "type": "crash_state",
        "identity": failure.identity.to_string(),
        "states": failure.count,
        "state": failure.first.name.to_string(),
        "cut_after": failure.first.request,
        "survived": failure.first.survived,
        "violations": violations.collect::<Vec<_>>(),
        "next": next,
    })
}
