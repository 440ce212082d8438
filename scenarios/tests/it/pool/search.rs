//! Invariants of a search on many threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use cenotaph::pool::first;

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("a test has threads")
}

#[test]
fn the_first_find_wins_even_when_it_comes_last() {
    for count in 1..=8 {
        // The smaller the index, the longer it takes to find out.
        let found = first(threads(count), 64, |index| {
            let busy = (0..(64 - index) * 3_000).fold(index, |sum, step| sum ^ (step * 31));
            (index % 10 == 9).then_some((index, busy > usize::MAX / 2))
        });
        assert_eq!(
            found.map(|(index, (same, _))| (index, same)),
            Some((9, 9)),
            "{count} threads"
        );
    }
}

#[test]
fn a_search_without_a_find_looks_at_every_item() {
    let looked = AtomicUsize::new(0);
    let found = first(threads(3), 50, |_| {
        looked.fetch_add(1, Ordering::Relaxed);
        None::<()>
    });
    assert_eq!(found, None);
    assert_eq!(looked.into_inner(), 50);
}

#[test]
fn a_test_that_panics_has_found_nothing() {
    let found = first(threads(2), 5, |index| {
        assert!(index > 2, "this one panics");
        Some(index)
    });
    assert_eq!(found, Some((3, 3)));
}

#[test]
fn an_empty_search_finds_nothing() {
    assert_eq!(first(threads(2), 0, Some), None);
}
