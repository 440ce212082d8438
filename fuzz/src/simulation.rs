//! Steps: draw a plan from a fuzzer's bytes, see that its text means the same plan, run it, and hear
//! the judges.

use cenotaph::check::Judge;
use cenotaph::plan::Plan;
use cenotaph::run::{RunOptions, run};

/// Draws a plan from a fuzzer's bytes; says whether they mean one.
///
/// # Panics
/// When the plan is out of bounds, does not survive its own text, or is a run that a judge objects to.
pub fn simulation(input: &[u8]) -> bool {
    let Some(plan) = Plan::from_fuzz_bytes(input) else {
        return false;
    };
    assert_survives_text(&plan);
    assert_honest(&plan);
    true
}

/// Without a planted bug every judge is content; liveness apart, since a clamped plan may ask for a
/// world so slow that no bound of time holds.
fn assert_honest(plan: &Plan) {
    if plan.bug.is_some() {
        return;
    }
    let outcome = run(plan, &RunOptions::default());
    let violations = outcome.verdict.violations.iter();
    let safety: Vec<_> = violations
        .filter(|violation| violation.identity.judge != Judge::Liveness)
        .collect();
    assert!(safety.is_empty(), "{safety:?}");
}

/// A failure is handed on as text, so the text has to mean the plan that failed.
fn assert_survives_text(plan: &Plan) {
    let text = plan.to_json();
    let again = Plan::from_json("printed", &text).expect("what a plan prints is a plan");
    assert_eq!(*plan, again, "a plan's text means that plan");
    assert_eq!(text, again.to_json(), "a plan has one text");
}
