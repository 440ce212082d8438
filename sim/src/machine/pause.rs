//! Steps of a pause: no task of the incarnation is polled, so its timers are late and its packets queue,
//! while the rest of the world goes on and requests to its disk are done; then it goes on, unless it has
//! ended in between.

use std::time::Duration;

use super::ground::{Due, Ground};
use crate::executor::Group;
use crate::network::Address;

impl Ground {
    /// Pauses a machine; says whether it was up.
    pub(super) fn pause(&self, machine: Address, duration: Duration) -> bool {
        let incarnation = {
            let machines = self.machines.borrow();
            let state = &machines[machine.0 as usize];
            if !state.is_up() {
                return false;
            }
            state.incarnation
        };
        self.executor.freeze(Group {
            machine: machine.0,
            incarnation,
        });
        let end = self.quantise(self.now().after(duration));
        let due = Due::Thaw {
            machine,
            incarnation,
        };
        self.queue.borrow_mut().push(end, due);
        true
    }

    pub(super) fn thaw(&self, machine: Address, incarnation: u32) {
        self.executor.thaw(Group {
            machine: machine.0,
            incarnation,
        });
    }
}
