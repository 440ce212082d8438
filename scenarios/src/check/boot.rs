//! Invariants of the node's life: it stops by itself, or blames its machine, only in an incarnation
//! whose disk failed it, or without an error when it was asked to drain; and no plan damages synced bytes, so it never finds them corrupt.
//! Whatever a crash or an earlier failure left on the disk, it boots from that.

use std::collections::BTreeSet;

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::{Blame, CORRUPTION, Event};
use crate::plan::Operation;

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let mut failed_disks = BTreeSet::new();
    let mut violations = Vec::new();
    let mut is_to_drain = false;
    for event in case.history.events() {
        match event {
            Event::Invoked {
                what: Operation::Drain,
                ..
            } => is_to_drain = true,
            // A drain is of the incarnation that it was sent to, and of no later one.
            Event::Booting { .. } => is_to_drain = false,
            Event::Exited { error: None, .. } if is_to_drain => {}
            Event::DiskFault { incarnation, .. } => {
                failed_disks.insert(*incarnation);
            }
            Event::Exited {
                at,
                incarnation,
                error,
            } if !failed_disks.contains(incarnation) || is_corruption(error.as_deref()) => {
                let node = case
                    .timeline
                    .incarnations
                    .iter()
                    .find(|node| node.number == *incarnation);
                let served = node.is_some_and(|node| node.serving_at.is_some());
                let invariant = if served {
                    Invariant::NodeKeepsRunning
                } else {
                    Invariant::BootSucceeds
                };
                let error = error.as_deref().unwrap_or("no error");
                let when = if served {
                    "while it serves"
                } else {
                    "while it boots"
                };
                violations.push(Violation {
                    identity: Identity {
                        judge: Judge::Boot,
                        invariant,
                        role: Role::Node,
                    },
                    operation: None,
                    detail: format!("n1/{incarnation} stops {when}, at {at}: {error}"),
                });
            }
            Event::Blamed {
                operation,
                incarnation,
                blame,
                why,
                ..
            } if *blame == Blame::Corruption || !failed_disks.contains(incarnation) => {
                violations.push(Violation {
                    identity: Identity {
                        judge: Judge::Boot,
                        invariant: Invariant::FailuresHaveCauses,
                        role: Role::Operation,
                    },
                    operation: Some(*operation),
                    detail: format!("{operation} is told by n1/{incarnation}: {blame:?}: {why}"),
                });
            }
            _ => {}
        }
    }
    violations
}

/// Whether a node's last words are that stored bytes contradict themselves.
fn is_corruption(error: Option<&str>) -> bool {
    error.is_some_and(|error| error.starts_with(CORRUPTION))
}
