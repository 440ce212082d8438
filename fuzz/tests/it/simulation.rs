//! Invariants of the simulation's target: any bytes are a plan of some scenario, or the text of one, or none.

use cenotaph::plan::Plan;
use cenotaph::workload;
use cenotaph_fuzz::simulation;
use cenotaph_sim::entropy::{RunKey, section_bytes};

#[test]
fn bytes_are_drawn_into_plans() {
    assert!(!simulation(&[]), "no bytes mean no plan");
    for seed in 0..200 {
        let mut input = section_bytes(RunKey(seed), "simulation", 2_048);
        input[0] = u8::try_from(seed % 100).expect("it is below 100");
        for size in [1, 2, 64, 300, 2_048] {
            assert!(simulation(&input[..size]), "seed {seed}, {size} bytes");
        }
    }
}

#[test]
fn the_text_of_a_plan_is_an_input() {
    for scenario in workload::list() {
        let plan = Plan::from_seed(scenario.name, 1).expect("the scenario is listed");
        let text = plan.to_json();
        assert!(simulation(text.as_bytes()), "{}", scenario.name);
        assert_eq!(Plan::from_fuzz_bytes(text.as_bytes()), Some(plan));
    }
}

#[test]
fn what_is_nearly_a_plan_is_passed_over() {
    let plan = Plan::from_seed(workload::list()[0].name, 2).expect("the scenario is listed");
    let text = plan.to_json();
    for size in (1..text.trim_end().len()).step_by(7) {
        assert!(!simulation(&text.as_bytes()[..size]), "cut at {size}");
    }
    assert!(!simulation(b"{\"format\": 1}"));
    assert!(!simulation(b"{\xff}"));
}
