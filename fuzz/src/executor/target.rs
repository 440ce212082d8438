//! Invariants of tasks and timers: under the fair order all that is seen is what a naive model says; under
//! any order a run is the same again, and what hangs on no order is as under the fair one.

use arbitrary::Unstructured;

use super::model::predict;
use super::play::{Order, play};
use super::program::{Entry, Program, Seen};

/// Draws a program from a fuzzer's bytes and plays it.
///
/// # Panics
/// When the executor breaks a law.
pub fn executor(input: &[u8]) {
    let mut source = Unstructured::new(input);
    let (Ok(key), Ok(program)) = (source.arbitrary::<u64>(), Program::draw(&mut source)) else {
        return;
    };
    let expected = predict(&program);
    assert_eq!(play(&program, Order::Fair).0, expected, "{program:?}");
    for order in [Order::Keyed(key), Order::Stalled(key)] {
        let played = play(&program, order);
        assert_eq!(
            played,
            play(&program, order),
            "the same run again: {program:?}"
        );
        if program.is_plain() && order == Order::Keyed(key) {
            assert_eq!(by_task(&played.0), by_task(&expected), "{program:?}");
        }
    }
}

/// The entries of each task in their order.
fn by_task(seen: &Seen) -> Vec<Entry> {
    let mut entries = seen.entries.clone();
    entries.sort_by_key(|entry| entry.task);
    entries
}
