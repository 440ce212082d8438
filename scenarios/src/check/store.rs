//! Invariants of the node's store, which the node is asked about when a phase of the run ends: what it shows and
//! what it wrote down of that agree.

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::Event;

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let identity = Identity {
        judge: Judge::Store,
        invariant: Invariant::StoreAgrees,
        role: Role::Node,
    };
    let events = case.history.events().iter();
    events
        .filter(|event| matches!(event, Event::Contradicted { .. }))
        .map(|event| Violation {
            identity,
            operation: None,
            detail: event.to_string().trim().to_owned(),
        })
        .collect()
}
