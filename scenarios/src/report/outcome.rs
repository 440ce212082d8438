//! Steps of telling a run: which one it was, what came of it, and its counts.

use std::fmt::Write as _;

use super::numbers::{counted, crashes, grouped};
use crate::plan::Plan;
use crate::run::Outcome;
use crate::shrink::Size;

/// One run in a few lines; the violation itself is told by `failure`. `seed` is the one that makes the
/// plan; none when somebody wrote or changed it.
#[must_use]
pub fn outcome(plan: &Plan, outcome: &Outcome, seed: Option<u64>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<13}{value}");
    };
    line("scenario", plan.scenario.clone());
    match seed {
        Some(seed) => line("seed", seed.to_string()),
        None => line("run key", plan.run_key.to_string()),
    }
    if let Some(bug) = &plan.bug {
        line("planted bug", bug.clone());
    }
    line("plan", format!("{} ({})", plan.hash(), Size::of(plan)));
    line("fingerprint", outcome.fingerprint.to_string());
    let verdict = &outcome.verdict;
    let judged = counted(verdict.answers_count as u64, "answer");
    match verdict.identity() {
        None => line("verdict", format!("held; {judged} judged")),
        Some(identity) => {
            let count = counted(verdict.violations.len() as u64, "violation");
            line("verdict", format!("{identity}; {count}, {judged} judged"));
        }
    }
    let statistics = &outcome.statistics;
    line(
        "counts",
        format!(
            "{}, {}, {}, {} struck, {} purged, {}.{:03}s of virtual time",
            counted(statistics.operations_count, "operation"),
            counted(statistics.events_count, "event"),
            crashes(statistics.crashes_count),
            counted(statistics.faults_count, "fault"),
            counted(statistics.stones_purged_count, "tombstone"),
            grouped(u128::from(statistics.simulated.as_secs())),
            statistics.simulated.subsec_millis()
        ),
    );
    for fault in &outcome.faults_waiting {
        let kind = fault.kind.name();
        line("never struck", format!("{kind} at {}", fault.at));
    }
    text
}
