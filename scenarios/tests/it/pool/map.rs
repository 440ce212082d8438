//! Invariants of work on many threads.

use std::num::NonZeroUsize;
use std::time::Duration;

use cenotaph::pool::{Panicked, Stopwatch, cpu_time, map};

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("a test has threads")
}

#[test]
fn results_stand_in_the_order_of_their_items_whatever_the_threads() {
    let items: Vec<u64> = (0..200).collect();
    // The first items take longest, so that the last ones overtake them.
    let work = |item: &u64| (0..(200 - item) * 2_000).fold(*item, |sum, step| sum ^ (step * sum));
    let alone = map(threads(1), &items, work, |_| {});
    assert_eq!(alone, map(threads(4), &items, work, |_| {}));
    assert_eq!(alone.len(), items.len());
    assert_eq!(alone[7], Ok(work(&7)));
}

#[test]
fn progress_counts_every_item_once_and_in_order() {
    let mut counts = Vec::new();
    let results = map(
        threads(3),
        &[1, 2, 3, 4, 5],
        |item| item * 2,
        |count| counts.push(count),
    );
    assert_eq!(counts, [1, 2, 3, 4, 5]);
    assert_eq!(results.len(), 5);
}

#[test]
fn a_panic_stays_with_its_item() {
    let work = |item: &u32| {
        assert_ne!(*item, 3, "three is too many");
        item * 10
    };
    let results = map(threads(2), &[1, 2, 3, 4], work, |_| {});
    assert_eq!(results[0], Ok(10));
    assert_eq!(results[3], Ok(40));
    let Err(Panicked(said)) = &results[2] else {
        panic!("{results:?}")
    };
    assert!(said.contains("three is too many"), "{said}");
}

#[test]
fn every_call_has_new_threads() {
    thread_local! {
        static VISITS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    let visit = |_: &u8| VISITS.replace(VISITS.get() + 1);
    let first = map(threads(1), &[0; 5], visit, |_| {});
    assert_eq!(
        first,
        [0, 1, 2, 3, 4].map(Ok),
        "one thread does all the work of a call"
    );
    assert_eq!(
        map(threads(1), &[0; 5], visit, |_| {}),
        first,
        "and is not used again"
    );
}

#[test]
fn no_items_need_no_threads() {
    assert_eq!(map(threads(4), &[], |item: &u8| *item, |_| {}), []);
}

#[test]
fn clocks_run_forward_and_work_costs_cpu_time() {
    let (stopwatch, before) = (Stopwatch::start(), cpu_time());
    while cpu_time() < before + Duration::from_millis(5) {
        assert!(
            stopwatch.elapsed() < Duration::from_secs(60),
            "the CPU clock stands still"
        );
    }
    assert!(stopwatch.elapsed() > Duration::ZERO);
}
