//! Invariants of the tries' targets: they hold on many inputs, and they object to wrong answers.

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::range::Marker;
use cenotaph_fuzz::trie::{
    MergeAnswer, MergeCase, RangeAnswer, RangeCase, deletion_aware_merge, range_trie,
};
use cenotaph_sim::entropy::{RunKey, section_bytes};

/// Calls a target with inputs of many sizes.
fn feed(target: fn(&[u8]), name: &str) {
    for seed in 0..1_500 {
        let input = section_bytes(RunKey(seed), name, 600);
        target(&input[..600 - usize::try_from(seed).expect("it is small") % 300]);
    }
    for first in 0..=u8::MAX {
        target(&[first]);
        target(&[first, 1, first, 2, first, 3]);
    }
    target(&[]);
}

#[test]
fn every_input_is_ranges_that_hold() {
    feed(range_trie, "range_trie");
}

#[test]
fn every_input_is_tries_whose_merge_holds() {
    feed(deletion_aware_merge, "deletion_aware_merge");
}

fn ranges() -> (RangeCase, RangeAnswer) {
    let case = RangeCase::overlap();
    let answer = case.answer(Direction::Forward);
    case.judge(&answer);
    assert_eq!(answer, case.answer(Direction::Reverse));
    (case, answer)
}

#[test]
#[should_panic(expected = "merged:")]
fn a_boundary_that_is_lost_is_noticed() {
    let (case, mut answer) = ranges();
    answer.merged.remove(1);
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "cut:")]
fn a_range_that_goes_on_beyond_a_slice_is_noticed() {
    let (case, mut answer) = ranges();
    answer.cut.clone_from(&answer.merged);
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "branch:")]
fn a_tail_that_forgets_what_covers_it_is_noticed() {
    let (case, mut answer) = ranges();
    answer.branch = Ok(Vec::new());
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "two:")]
fn a_boundary_that_says_another_time_is_noticed() {
    let (case, mut answer) = ranges();
    answer.two[0].1 = Marker::boundary(None, Some(4));
    case.judge(&answer);
}

fn merge() -> (MergeCase, MergeAnswer) {
    let case = MergeCase::one_deleted();
    let answer = case.answer(Direction::Forward);
    case.judge(&answer);
    (case, answer)
}

#[test]
#[should_panic(expected = "merged:")]
fn a_row_that_comes_back_is_noticed() {
    let (case, mut answer) = merge();
    answer.merged.0.insert(0, (vec![1], 3));
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "cut:")]
fn a_row_that_a_slice_loses_is_noticed() {
    let (case, mut answer) = merge();
    answer.cut.0.clear();
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "applicable:")]
fn a_deletion_that_is_not_found_is_noticed() {
    let (case, mut answer) = merge();
    answer.applicable = None;
    case.judge(&answer);
}

#[test]
#[should_panic(expected = "after a stop:")]
fn a_stop_that_passes_over_a_live_row_is_noticed() {
    let (case, mut answer) = merge();
    answer.rest.remove(0);
    case.judge(&answer);
}
