//! Vocabulary of kinds of operation as a sweep counts them: planned, and done.

use std::collections::BTreeMap;

use crate::history::{Event, History, Outcome};
use crate::plan::{Operation, Plan};

/// How often a kind of operation was in a plan, and how often the node did it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Operations of plans.
    pub planned_count: u64,
    /// Those whose client heard that it was done.
    pub done_count: u64,
}

/// Counts the operations of one run, those of the last reader apart.
pub(super) fn count(plan: &Plan, history: &History) -> BTreeMap<&'static str, OperationCount> {
    let mut counts = [OperationCount::default(); Operation::NAMES.len()];
    for operation in plan.clients.iter().flatten() {
        counts[operation.kind_number()].planned_count += 1;
    }
    for event in history.events() {
        let Event::Answered {
            operation,
            outcome: Outcome::Ok(_),
            ..
        } = event
        else {
            continue;
        };
        let session = plan.clients.get(usize::from(operation.client));
        let done = session.and_then(|session| session.get(operation.index as usize));
        if let Some(done) = done {
            counts[done.kind_number()].done_count += 1;
        }
    }
    let named = Operation::NAMES.into_iter().zip(counts);
    named.filter(|(_, count)| count.planned_count > 0).collect()
}
