//! Invariants of the node's life: it stops by itself, or blames its machine, only in an incarnation
//! whose disk failed it, at a file that it cannot do without, or without an error when it was asked to
//! drain; and no plan damages synced bytes, so it never finds them corrupt.
//! Whatever a crash or an earlier failure left on the disk, it boots from that.
//!
//! A start cannot do without any file. A node that serves cannot do without its logs, and its manifest gives
//! the commit log its ids; it lives on when a flush, a compaction or a read fails. A read needs
//! sstables and no other file.

use std::collections::BTreeMap;

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::{Blame, CORRUPTION, Event};
use crate::plan::{FileRole, Operation, OperationRef};

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    let mut failed_disks = FailedDisks::default();
    let mut violations = Vec::new();
    let mut is_to_drain = false;
    for event in case.history.events() {
        match event {
            Event::Invoked { what, .. } if **what == Operation::Drain => is_to_drain = true,
            // A drain is of the incarnation that it was sent to, and of no later one.
            Event::Booting { .. } => is_to_drain = false,
            Event::Exited { error: None, .. } if is_to_drain => {}
            Event::DiskFault {
                incarnation, role, ..
            } => failed_disks.note(*incarnation, *role),
            Event::Exited {
                at,
                incarnation,
                error,
            } => {
                let mut nodes = case.timeline.incarnations.iter();
                let node = nodes.find(|node| node.number == *incarnation);
                let serves = node.is_some_and(|node| node.serving_at.is_some());
                let is_excused = failed_disks.excuse_stop(*incarnation, serves);
                if is_excused && !is_corruption(error.as_deref()) {
                    continue;
                }
                let (invariant, when) = match serves {
                    true => (Invariant::NodeKeepsRunning, "while it serves"),
                    false => (Invariant::BootSucceeds, "while it boots"),
                };
                let error = error.as_deref().unwrap_or("no error");
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
            } => {
                if failed_disks.excuse_blame(*incarnation, is_read(case, *operation))
                    && *blame != Blame::Corruption
                {
                    continue;
                }
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

/// The files at which disk faults struck, by incarnation; no file where the plan left open which.
#[derive(Default)]
struct FailedDisks(BTreeMap<u32, Vec<Option<FileRole>>>);

impl FailedDisks {
    fn note(&mut self, incarnation: u32, role: Option<FileRole>) {
        self.0.entry(incarnation).or_default().push(role);
    }

    /// Whether a fault may have met a request that `reads`, or one that writes.
    fn excuse_blame(&self, incarnation: u32, reads: bool) -> bool {
        let met = |role: &Option<FileRole>| !reads || matches!(role, None | Some(FileRole::Data));
        let roles = self.0.get(&incarnation);
        roles.is_some_and(|roles| roles.iter().any(met))
    }

    /// Whether a fault may have stopped a node that `serves`, or starts.
    fn excuse_stop(&self, incarnation: u32, serves: bool) -> bool {
        let needed = |role: &Option<FileRole>| match role {
            None | Some(FileRole::Commitlog | FileRole::Metadata | FileRole::Manifest) => true,
            Some(FileRole::Data | FileRole::Lock) => !serves,
        };
        let roles = self.0.get(&incarnation);
        roles.is_some_and(|roles| roles.iter().any(needed))
    }
}

/// Whether the operation asks for what is stored and no more: of the disk it needs sstables alone.
fn is_read(case: &Case<'_>, operation: OperationRef) -> bool {
    let mut records = case.timeline.records.iter();
    let record = records.find(|record| record.name == operation);
    record.is_some_and(|record| {
        matches!(
            record.what,
            Operation::Read { .. } | Operation::Stones { .. } | Operation::SystemSchema
        )
    })
}

/// Whether a node's last words are that stored bytes contradict themselves.
fn is_corruption(error: Option<&str>) -> bool {
    error.is_some_and(|error| error.starts_with(CORRUPTION))
}
