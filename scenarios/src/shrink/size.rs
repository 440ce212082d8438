//! Vocabulary of sizes: what a person counts in a plan.

use std::fmt;

use super::knobs;
use crate::plan::Plan;

/// How large a plan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Sessions.
    pub clients_count: usize,
    /// Operations of all of them.
    pub operations_count: usize,
    /// Faults.
    pub faults_count: usize,
    /// Knobs that differ from their defaults.
    pub knobs_count: usize,
}

impl Size {
    /// The size of a plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Size {
        Size {
            clients_count: plan.clients.len(),
            operations_count: plan.clients.iter().map(Vec::len).sum(),
            faults_count: plan.faults.len(),
            knobs_count: knobs::turned(&plan.knobs).len(),
        }
    }

    /// Whether nothing in it is larger than in `other`.
    #[must_use]
    pub fn is_within(&self, other: &Size) -> bool {
        self.clients_count <= other.clients_count
            && self.operations_count <= other.operations_count
            && self.faults_count <= other.faults_count
            && self.knobs_count <= other.knobs_count
    }
}

impl fmt::Display for Size {
    /// `12 operations of 2 clients, 1 fault, 0 knobs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Size {
            clients_count,
            operations_count,
            faults_count,
            knobs_count,
        } = *self;
        write!(
            f,
            "{operations_count} operation{} of {clients_count} client{}, {faults_count} fault{}, \
             {knobs_count} knob{}",
            plural(operations_count),
            plural(clients_count),
            plural(faults_count),
            plural(knobs_count)
        )
    }
}
