//! Vocabulary of fault kinds as a sweep counts them: planned, and struck.

use std::collections::BTreeMap;

use crate::plan::Fault;

/// How often a kind of fault was in a plan, and how often it struck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// Faults of plans.
    pub planned_count: u64,
    /// Those whose anchor was reached.
    pub struck_count: u64,
}

/// Counts the faults of one run.
pub(super) fn count(planned: &[Fault], waiting: &[Fault]) -> BTreeMap<&'static str, FaultCount> {
    let mut counts: BTreeMap<&'static str, FaultCount> = BTreeMap::new();
    for fault in planned {
        let count = counts.entry(fault.kind.name()).or_default();
        count.planned_count += 1;
        count.struck_count += 1;
    }
    for fault in waiting {
        let count = counts.entry(fault.kind.name()).or_default();
        assert!(
            count.struck_count > 0,
            "a fault waits that nobody planned: {fault:?}"
        );
        count.struck_count -= 1;
    }
    counts
}
