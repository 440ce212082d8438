//! Invariants of plans from a fuzzer's bytes: bytes that are no plan are refused with an error, and a
//! plan's text means that plan.

use cenotaph::plan::Plan;

/// Reads a plan from a fuzzer's bytes.
///
/// # Panics
/// When a plan that was read does not survive its own text, or is out of bounds once clamped.
pub fn simulation(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let Ok(plan) = Plan::from_json("input", text) else {
        return;
    };
    assert_survives_text(&plan);
    let clamped = plan.clamped();
    clamped
        .validate("clamped")
        .expect("a clamped plan is within its bounds");
    assert_survives_text(&clamped);
}

fn assert_survives_text(plan: &Plan) {
    let text = plan.to_json();
    let again = Plan::from_json("printed", &text).expect("what a plan prints is a plan");
    assert_eq!(*plan, again, "a plan's text means that plan");
    assert_eq!(text, again.to_json(), "a plan has one text");
}
