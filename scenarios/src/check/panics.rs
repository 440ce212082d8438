//! Invariants of code: no task of the node panics, whatever the disk and the network do.

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::Event;

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let identity = Identity {
        judge: Judge::Panics,
        invariant: Invariant::NoPanic,
        role: Role::Node,
    };
    case.history
        .events()
        .iter()
        .filter(|event| matches!(event, Event::Panicked { .. }))
        .map(|event| Violation {
            identity,
            operation: None,
            detail: event.to_string().trim().to_owned(),
        })
        .collect()
}
