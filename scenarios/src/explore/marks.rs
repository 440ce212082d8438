//! Invariants of marks in a sweep: each mark of each scenario swept is reached by some run, or told.

use cenotaph_sim::trace::Marks;

use super::harness::Entry;

/// Marks of the scenarios that no run reached, in order of name.
pub(super) fn missing(scenarios: &[Entry], reached: &Marks) -> Vec<&'static str> {
    let expected = scenarios
        .iter()
        .flat_map(|entry| entry.marks.iter().copied());
    let mut missing: Vec<_> = expected.filter(|mark| reached.count(mark) == 0).collect();
    missing.sort_unstable();
    missing.dedup();
    missing
}
