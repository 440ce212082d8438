//! Steps: draw a plan from a fuzzer's bytes, and see that its text means the same plan.

use cenotaph::plan::Plan;

/// Draws a plan from a fuzzer's bytes; says whether they mean one.
///
/// # Panics
/// When the plan is out of bounds, or does not survive its own text.
pub fn simulation(input: &[u8]) -> bool {
    let Some(plan) = Plan::from_fuzz_bytes(input) else {
        return false;
    };
    assert_survives_text(&plan);
    true
}

/// A failure is handed on as text, so the text has to mean the plan that failed.
fn assert_survives_text(plan: &Plan) {
    let text = plan.to_json();
    let again = Plan::from_json("printed", &text).expect("what a plan prints is a plan");
    assert_eq!(*plan, again, "a plan's text means that plan");
    assert_eq!(text, again.to_json(), "a plan has one text");
}
