//! Vocabulary of watching a disk: its watcher is shown it after each request that may change what a crash leaves.

use std::fmt;

use super::ground::Ground;
use super::request::Operation;
use super::strike::{counter_of, role_hash};
use crate::disk::{Access, Disk};
use crate::fault::RequestKind;
use crate::network::Address;

/// A disk right after a request was carried out, whether or not it failed.
#[derive(Debug)]
pub struct DiskStep<'a> {
    /// The incarnation that made the request.
    pub incarnation: u32,
    /// What kind of request it was.
    pub kind: RequestKind,
    /// Which of its kind in its role, from 0.
    pub ordinal: u64,
    /// The disk.
    pub disk: &'a Disk,
    counter: u64,
}

impl DiskStep<'_> {
    /// Whether the request was one of this file role.
    #[must_use]
    pub fn is_of(&self, role: &str) -> bool {
        self.counter == counter_of(role_hash(role), self.kind)
    }
}

/// Who is shown the disk of which machine.
pub(super) struct Watcher {
    machine: Address,
    show: Box<dyn FnMut(&DiskStep<'_>)>,
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher")
            .field("machine", &self.machine)
            .finish_non_exhaustive()
    }
}

impl Ground {
    /// Has a machine's disk shown from now on, in the place of any other watch.
    pub fn watch_disk(&self, machine: Address, show: Box<dyn FnMut(&DiskStep<'_>)>) {
        *self.watcher.borrow_mut() = Some(Watcher { machine, show });
    }

    /// Shows the disk after a request, when somebody watches it.
    pub(super) fn show_disk(
        &self,
        machine: Address,
        (counter, ordinal): (u64, u64),
        operation: &Operation,
    ) {
        let mut watcher = self.watcher.borrow_mut();
        let Some(watcher) = watcher.as_mut().filter(|it| it.machine == machine) else {
            return;
        };
        if operation.only_looks() {
            return;
        }
        let machines = self.machines.borrow();
        let machine = &machines[machine.0 as usize];
        (watcher.show)(&DiskStep {
            incarnation: machine.incarnation,
            kind: operation.kind(),
            ordinal,
            disk: &machine.disk,
            counter,
        });
    }
}

impl Operation {
    /// Whether it leaves everything as it was.
    fn only_looks(&self) -> bool {
        matches!(
            self,
            Operation::Read { .. }
                | Operation::Len { .. }
                | Operation::List { .. }
                | Operation::Open {
                    access: Access::Read | Access::Write,
                    ..
                }
        )
    }
}
