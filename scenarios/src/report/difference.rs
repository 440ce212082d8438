//! Steps of telling a difference: what two runs came to, and the first event that tells them apart.

use std::fmt::Write as _;

use cenotaph_sim::trace::Difference;

use crate::explore::{Mismatch, verdict_word};
use crate::run::Outcome;

/// A run that was not the same when repeated.
#[must_use]
pub fn mismatch(mismatch: &Mismatch, commit: &str) -> String {
    let Mismatch {
        scenario,
        seed,
        bug,
        again,
        first,
        second,
        difference,
    } = mismatch;
    let bug = bug
        .as_ref()
        .map(|bug| format!(" --bug {bug}"))
        .unwrap_or_default();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "NOT DETERMINISTIC {scenario}, seed {seed}, commit {commit}"
    );
    let _ = writeln!(
        text,
        "  The same plan, run {again}, was another run. No verdict counts until this is mended."
    );
    let _ = writeln!(text, "  first   {}  {}", first[0], first[1]);
    let _ = writeln!(text, "  second  {}  {}", second[0], second[1]);
    match difference {
        Some(difference) => text.push_str(difference),
        None => {
            text.push_str("  run again to record them, they did not differ in the same place\n")
        }
    }
    let end = seed.saturating_add(1);
    let _ = writeln!(
        text,
        "next\n  cenotaph explore {scenario} --seeds {seed}..{end}{bug}"
    );
    text
}

/// How the runs of two plans compare.
#[must_use]
pub fn comparison(
    names: [&str; 2],
    outcomes: [&Outcome; 2],
    difference: Option<&Difference>,
) -> String {
    let mut text = String::new();
    for (side, (name, outcome)) in ["first ", "second"]
        .into_iter()
        .zip(names.into_iter().zip(outcomes))
    {
        let verdict = verdict_word(&outcome.verdict);
        let _ = writeln!(text, "{side}  {}  {verdict}  {name}", outcome.fingerprint);
    }
    match difference {
        Some(difference) => {
            let _ = write!(text, "{difference}");
        }
        None => text.push_str("the runs are the same, event by event\n"),
    }
    text
}
