//! Invariants of kinds in a sweep: each kind of fault that its scenarios may draw strikes in some run, and
//! each kind of operation is done, or the sweep tells which is not; but only once there were chances enough.

use std::collections::BTreeSet;

use super::harness::Entry;
use super::tally::Tally;

/// When plans had a kind so often and it came to nothing every time, that is no accident; of any smaller
/// number it may be.
const PLANNED_TO_TELL: u64 = 200;

/// When so many seeds of each scenario had no chance for a kind, no seed has.
const SEEDS_TO_TELL: u64 = 2_000;

/// Kinds that plans had, or scenarios may draw, and that never came to anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Missing {
    /// Kinds of fault that never struck.
    pub(super) faults: Vec<&'static str>,
    /// Kinds of operation that were never done.
    pub(super) operations: Vec<&'static str>,
}

/// What is missing of a sweep.
pub(super) fn missing(scenarios: &[Entry], tally: &Tally) -> Missing {
    let seeds_count = tally.seeds_count / scenarios.len().max(1) as u64;
    let is_missing = |planned_count: u64, done_count: u64| {
        done_count == 0 && (planned_count >= PLANNED_TO_TELL || seeds_count >= SEEDS_TO_TELL)
    };
    let faults = enabled(scenarios, |entry| entry.faults, tally.faults.keys());
    let operations = enabled(scenarios, |entry| entry.operations, tally.operations.keys());
    let faults = faults.into_iter().filter(|kind| {
        let count = tally.faults.get(kind).copied().unwrap_or_default();
        is_missing(count.planned_count, count.struck_count)
    });
    let operations = operations.into_iter().filter(|kind| {
        let count = tally.operations.get(kind).copied().unwrap_or_default();
        is_missing(count.planned_count, count.done_count)
    });
    Missing {
        faults: faults.collect(),
        operations: operations.collect(),
    }
}

/// What the scenarios may draw, and what was drawn.
fn enabled<'a>(
    scenarios: &[Entry],
    of: impl Fn(&Entry) -> &'static [&'static str],
    drawn: impl Iterator<Item = &'a &'static str>,
) -> BTreeSet<&'static str> {
    let declared = scenarios.iter().flat_map(|entry| of(entry).iter());
    declared.chain(drawn).copied().collect()
}
