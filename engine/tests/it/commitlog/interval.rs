//! Invariants of interval sets, against sets of single positions.

use std::collections::BTreeSet;

use cenotaph_engine::commitlog::{Interval, IntervalSet, Position};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn position(n: u64) -> Position {
    Position {
        segment: 1 + n / 8,
        offset: n % 8,
    }
}

fn interval(lower: u64, upper: u64) -> Interval {
    Interval {
        lower: position(lower),
        upper: position(upper),
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 256,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn a_set_of_intervals_is_the_set_of_their_positions(
        pairs in prop::collection::vec((0..24_u64, 0..24_u64), 0..12),
    ) {
        let set: IntervalSet = pairs.iter().map(|(a, b)| interval(*a, *b)).collect();
        let model: BTreeSet<u64> = pairs.iter().flat_map(|(a, b)| *a + 1..=*b).collect();
        for n in 0..24 {
            prop_assert_eq!(set.contains(position(n)), model.contains(&n), "{}", n);
        }
        for lower in 0..24 {
            for upper in 0..24 {
                let all = (lower + 1..=upper).all(|n| model.contains(&n));
                prop_assert_eq!(set.covers(interval(lower, upper)), all, "{}, {}", lower, upper);
            }
        }
        let starts = model.iter().filter(|n| **n == 0 || !model.contains(&(**n - 1))).count();
        prop_assert_eq!(set.intervals().len(), starts, "as few intervals as can be");
        prop_assert!(set.intervals().windows(2).all(|pair| pair[0].upper < pair[1].lower));
    }
}

#[test]
fn the_end_of_one_interval_is_not_in_the_next() {
    let one = interval(0, 5);
    let two = interval(5, 9);
    assert!(one.contains(position(5)) && !two.contains(position(5)));
    assert_eq!(two.to_string(), "(1:5, 2:1]");
}
