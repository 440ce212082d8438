//! Invariants of the simulation's target: it takes any bytes, and the text of any plan.

use cenotaph::plan::{Knobs, Plan};
use cenotaph_fuzz::simulation;

#[test]
fn bytes_that_are_no_plan_are_passed_over() {
    simulation(&[]);
    for first in 0..=u8::MAX {
        simulation(&[first]);
        simulation(&[first, b'}', 0xff]);
    }
    simulation(b"{\"format\": 1}");
}

#[test]
fn the_text_of_a_plan_is_taken_whole_or_cut_anywhere() {
    let plan = Plan {
        format: Plan::FORMAT,
        scenario: "crash_without_drain".to_owned(),
        run_key: 7,
        knobs: Knobs::default(),
        clients: vec![Vec::new()],
        faults: Vec::new(),
        bug: Some("P02".to_owned()),
    };
    let text = plan.to_json();
    for size in 0..=text.len() {
        simulation(&text.as_bytes()[..size]);
    }
}
