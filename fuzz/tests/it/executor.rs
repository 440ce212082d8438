//! Invariants of the executor's target: it holds on many inputs that do something, and a wrong prediction
//! is noticed.

use arbitrary::Unstructured;
use cenotaph_fuzz::executor::{Order, Program, Step, play, predict};
use cenotaph_sim::entropy::{RunKey, section_bytes};

const INPUT_SIZE: usize = 1_500;

fn program(seed: u64) -> Program {
    let input = section_bytes(RunKey(seed), "executor", INPUT_SIZE);
    Program::draw(&mut Unstructured::new(&input)).expect("there are enough bytes")
}

#[test]
fn every_input_is_played_as_predicted() {
    for seed in 0..2_000 {
        let input = section_bytes(RunKey(seed), "executor", INPUT_SIZE);
        let size = INPUT_SIZE - usize::try_from(seed % 4).expect("small") * 400;
        cenotaph_fuzz::executor(&input[..size]);
    }
    for size in 0..40 {
        cenotaph_fuzz::executor(&vec![0xff; size]);
    }
}

#[test]
fn the_inputs_reach_every_step_and_both_answers() {
    let (mut steps_count, mut dropped_count, mut plain_count) = (0, 0, 0);
    let mut late_counts = [0; 2];
    for seed in 0..500 {
        let program = program(seed);
        let seen = predict(&program);
        steps_count += seen.entries.len();
        dropped_count += seen.dropped.len();
        plain_count += usize::from(program.is_plain());
        for entry in &seen.entries {
            late_counts[usize::from(entry.answer == 1)] += 1;
        }
    }
    assert!(steps_count > 5_000, "{steps_count} steps");
    assert!(dropped_count > 200, "{dropped_count} tasks were dropped");
    assert!(plain_count > 20, "{plain_count} programs hang on no order");
    assert!(late_counts[1] > 200, "{late_counts:?}");
}

#[test]
fn a_wrong_prediction_is_noticed() {
    let mut noticed_count = 0;
    for seed in 0..200 {
        let program = program(seed);
        let mut other = program.clone();
        let sleeps = other
            .tasks
            .iter_mut()
            .flatten()
            .filter_map(|step| match step {
                Step::Sleep { nanos } => Some(nanos),
                _ => None,
            });
        for nanos in sleeps {
            *nanos += program.quantum_nanos;
        }
        noticed_count += usize::from(play(&program, Order::Fair).0 != predict(&other));
    }
    assert!(noticed_count > 150, "{noticed_count} of 200");
}
