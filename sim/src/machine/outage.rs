//! Steps of taking a machine away for a while: it crashes, is paused, or loses its disk, as a fault of its
//! own or with its whole zone.

use std::time::Duration;

use super::ground::{Due, Ground};
use super::power::{PowerAction, Stop};
use crate::disk::CrashKind;
use crate::fault::Outage;
use crate::network::Address;

impl Ground {
    /// Takes a machine away; says whether there was anything to take.
    pub(super) fn take_away(&self, machine: Address, outage: Outage) -> bool {
        match outage {
            Outage::Crash { how, down } => self.take_down(machine, how, down),
            Outage::Pause { duration } => self.pause(machine, duration),
            Outage::Wipe { down } => {
                // Of a machine that is down the disk is lost all the same, before it boots again.
                self.take_down(machine, CrashKind::PowerCut, down);
                self.order(PowerAction::Wipe { machine });
                true
            }
        }
    }

    fn take_down(&self, machine: Address, how: CrashKind, down: Duration) -> bool {
        let is_up = self.end_life(machine);
        if is_up {
            self.order(PowerAction::Stop {
                machine,
                stop: Stop::Crash(how),
                revive_after: Some(down),
            });
        }
        is_up
    }

    pub(super) fn drift(&self, machine: Address, ppm: i64, duration: Duration) {
        let number = self.machines.borrow_mut()[machine.0 as usize]
            .wall
            .drift(self.now(), ppm);
        let due = Due::EndDrift { machine, number };
        self.queue
            .borrow_mut()
            .push(self.now().after(duration), due);
    }

    pub(super) fn end_drift(&self, machine: Address, number: u32) {
        self.machines.borrow_mut()[machine.0 as usize]
            .wall
            .end_drift(self.now(), number);
    }

    /// Has every wall clock run as it was made to.
    pub fn end_all_drifts(&self) {
        for machine in self.machines.borrow_mut().iter_mut() {
            machine.wall.end_drifts(self.now());
        }
    }
}
