//! Steps when two runs of one plan differ: find the window by checkpoints, run both again with it
//! recorded, show the first event that differs.

use std::fmt;
use std::num::NonZeroUsize;

use cenotaph_sim::trace::{CHECKPOINT_EVENTS, Difference, Fingerprint, first_difference};

use super::elsewhere::{Elsewhere, Told};
use super::harness::Harness;
use super::seen::Seen;
use crate::cluster::RunOptions;
use crate::plan::Plan;
use crate::pool;
use crate::run::Outcome;
use crate::shrink::Run;

/// Where a plan was run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// On another thread of this process.
    OtherThread,
    /// In another process.
    OtherProcess,
}

impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Again::OtherThread => "on another thread",
            Again::OtherProcess => "in another process",
        })
    }
}

/// Two runs of one plan that were not the same: the harness's worst bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The scenario.
    pub scenario: &'static str,
    /// The seed.
    pub seed: u64,
    /// The planted bug.
    pub bug: Option<String>,
    /// Where the second run was.
    pub again: Again,
    /// Fingerprint and verdict of the first run.
    pub first: [String; 2],
    /// Fingerprint and verdict of the second run, or why there are none.
    pub second: [String; 2],
    /// The first event that differs, with what is around it; none when recording made them agree.
    pub difference: Option<String>,
}

/// The first event in which the runs of two plans differ, run on one thread each.
#[must_use]
pub fn between(run: &Run<'_>, plans: [&Plan; 2]) -> ([Outcome; 2], Option<Difference>) {
    let options = RunOptions::default();
    let [left, right] = plans.map(|plan| run(plan, &options));
    let Some((start, end)) = left.fingerprint.differing_window(&right.fingerprint) else {
        return ([left, right], None);
    };
    let options = RunOptions {
        window: Some(start..end),
        ..options
    };
    let recorded = pool::map(
        NonZeroUsize::MIN,
        &plans,
        |plan| run(plan, &options).recorded,
        |_| {},
    );
    let difference = match &recorded[..] {
        [Ok(ours), Ok(theirs)] => first_difference(ours, theirs),
        _ => None,
    };
    ([left, right], difference)
}

pub(super) fn on_threads(
    harness: &Harness<'_>,
    first: &Seen,
    second: &Seen,
    bug: Option<&str>,
) -> Option<Mismatch> {
    if first.fingerprint == second.fingerprint && first.verdict == second.verdict {
        return None;
    }
    let plan = harness.plan(first.scenario, first.seed, bug);
    let difference = first
        .fingerprint
        .differing_window(&second.fingerprint)
        .and_then(|(start, end)| {
            let options = RunOptions {
                window: Some(start..end),
                ..RunOptions::default()
            };
            let again = |_: &u8| (harness.run)(&plan, &options).recorded;
            let threads = NonZeroUsize::new(2).expect("2 is not 0");
            let recorded = pool::map(threads, &[0, 1], again, |_| {});
            match &recorded[..] {
                [Ok(ours), Ok(theirs)] => first_difference(ours, theirs),
                _ => None,
            }
        });
    Some(Mismatch {
        scenario: first.scenario,
        seed: first.seed,
        bug: bug.map(str::to_owned),
        again: Again::OtherThread,
        first: [first.fingerprint.to_string(), first.told()],
        second: [second.fingerprint.to_string(), second.told()],
        difference: difference.map(|difference| difference.to_string()),
    })
}

pub(super) fn in_process(
    harness: &Harness<'_>,
    elsewhere: &dyn Elsewhere,
    first: &Seen,
    bug: Option<&str>,
) -> Option<Mismatch> {
    let ours = [first.fingerprint.to_string(), first.told()];
    let mismatch = |second: [String; 2], difference| Mismatch {
        scenario: first.scenario,
        seed: first.seed,
        bug: bug.map(str::to_owned),
        again: Again::OtherProcess,
        first: ours.clone(),
        second,
        difference,
    };
    match elsewhere.run(first.scenario, first.seed, bug, None) {
        Err(why) => Some(mismatch(
            [format!("no answer: {why}"), "unknown".to_owned()],
            None,
        )),
        Ok(theirs) => {
            let second = [theirs.fingerprint.clone(), theirs.verdict.clone()];
            let differs = second != ours;
            differs.then(|| {
                mismatch(
                    second,
                    recorded_apart(harness, elsewhere, first, bug, &theirs),
                )
            })
        }
    }
}

/// Runs both again with the window recorded, here and there, and compares the printed events.
fn recorded_apart(
    harness: &Harness<'_>,
    elsewhere: &dyn Elsewhere,
    first: &Seen,
    bug: Option<&str>,
    theirs: &Told,
) -> Option<String> {
    let window = window(&first.fingerprint, &theirs.checkpoints);
    let plan = harness.plan(first.scenario, first.seed, bug);
    let options = RunOptions {
        window: Some(window.clone()),
        ..RunOptions::default()
    };
    let ours = (harness.run)(&plan, &options).recorded;
    let ours: Vec<String> = ours.iter().map(ToString::to_string).collect();
    let theirs = elsewhere
        .run(first.scenario, first.seed, bug, Some(window))
        .ok()?
        .recorded;
    first_line(&ours, &theirs)
}

fn window(ours: &Fingerprint, theirs: &[u64]) -> std::ops::Range<u64> {
    let same = ours
        .checkpoints()
        .iter()
        .zip(theirs)
        .take_while(|(ours, theirs)| ours == theirs);
    let start = same.count() as u64 * CHECKPOINT_EVENTS;
    start..start + CHECKPOINT_EVENTS
}

/// Lines of context on each side.
const CONTEXT_LINES: usize = 6;

fn first_line(ours: &[String], theirs: &[String]) -> Option<String> {
    let same = ours
        .iter()
        .zip(theirs)
        .take_while(|(ours, theirs)| ours == theirs)
        .count();
    if same == ours.len() && same == theirs.len() {
        return None;
    }
    let mut lines = Vec::new();
    let shared = &ours[same.saturating_sub(CONTEXT_LINES)..same];
    lines.extend(shared.iter().map(|line| format!("  both   {line}")));
    for (side, events) in [("first ", ours), ("second", theirs)] {
        let after = events.iter().skip(same).take(CONTEXT_LINES);
        lines.extend(after.map(|line| format!("  {side} {line}")));
    }
    Some(lines.join("\n") + "\n")
}
