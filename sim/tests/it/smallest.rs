//! Invariants of `smallest`: what it gives back still fails, in the old order, and needs every one.

use std::cell::Cell;

use cenotaph_sim::world::smallest;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// Fails when the numbers sum up to much, and hold one that others must follow.
fn fails(numbers: &[u8]) -> bool {
    let sum: u32 = numbers.iter().copied().map(u32::from).sum();
    let first = numbers.iter().position(|number| number % 5 == 0);
    sum > 300 && first.is_some_and(|first| first + 1 < numbers.len())
}

fn is_within(part: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|number| rest.any(|other| other == number))
}

proptest! {
    #![proptest_config(Config {
        cases: 300,
        rng_seed: RngSeed::Fixed(17),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn the_rest_fails_and_no_single_one_can_go(numbers in prop::collection::vec(any::<u8>(), 3..60)) {
        prop_assume!(fails(&numbers));
        let least = smallest(&numbers, fails);
        prop_assert!(fails(&least));
        prop_assert!(is_within(&least, &numbers));
        for index in 0..least.len() {
            let mut rest = least.clone();
            rest.remove(index);
            prop_assert!(!fails(&rest), "{least:?} without its number {index} fails too");
        }
    }
}

#[test]
fn one_of_a_thousand_is_found_in_few_runs() {
    let runs_count = Cell::new(0);
    let numbers: Vec<u32> = (0..1_000).collect();
    let least = smallest(&numbers, |part| {
        runs_count.set(runs_count.get() + 1);
        part.contains(&777)
    });
    assert_eq!(least, [777]);
    assert!(runs_count.get() < 40, "{} runs", runs_count.get());
}

#[test]
fn what_fails_of_itself_needs_nothing() {
    assert_eq!(smallest(&[1, 2, 3], |_| true), [0; 0]);
    assert_eq!(smallest(&[0; 0], |_| true), [0; 0]);
}

#[test]
#[should_panic(expected = "only what fails can be made smaller")]
fn what_holds_is_refused() {
    smallest(&[1, 2, 3], |_| false);
}
