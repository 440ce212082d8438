//! Invariants of planted bugs of merging: the cases object to each.

use std::panic::catch_unwind;

use cenotaph_engine::planted::{Plant, choose};

use super::case::Case;
use super::{cells, ranges};

/// Names of the cases that object while a bug is planted.
fn objecting(plant: Plant, cases: Vec<Case>) -> Vec<&'static str> {
    let _chosen = choose(Some(plant));
    let objects = |case: &Case| catch_unwind(|| case.check()).is_err();
    let names = cases.into_iter().filter(objects).map(|case| case.name);
    names.collect()
}

#[test]
fn the_cases_object_to_a_winner_by_arrival() {
    let names = objecting(Plant::P07, cells::all());
    for name in [
        "the_larger_value_wins_a_tie",
        "a_deletion_wins_a_tie",
        "of_one_expiry_and_value_the_smaller_ttl_wins",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"the_later_timestamp_wins"));
}

#[test]
fn the_cases_object_to_a_range_that_ends_too_early() {
    let names = objecting(Plant::P21, ranges::all());
    assert!(names.contains(&"a_closed_range_takes_the_rows_at_its_ends"));
    assert!(!names.contains(&"an_open_range_leaves_the_rows_at_its_ends"));
}
