//! Steps of a strike: find the faults that are anchored at a request or wait for the next one of its
//! kind, apply them, and mark that they struck.

use std::io;
use std::rc::Rc;

use super::ground::{Due, Ground, WorldEvent};
use super::request::Operation;
use crate::entropy::{hash_bytes, mix64};
use crate::fault::{Anchor, Fault, FaultKind, Outage, RequestKind};
use crate::network::Address;
use crate::planted::{self, Plant};
use crate::trace::Kind;

/// What a fault does to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Injected {
    Error,
    NoSpace,
    FailSync,
}

impl Injected {
    pub(super) fn error(self) -> io::Error {
        match self {
            Injected::Error => io::Error::other("input/output error (injected)"),
            Injected::NoSpace => io::Error::new(
                io::ErrorKind::StorageFull,
                "no space left on the disk (injected)",
            ),
            Injected::FailSync => io::Error::other("the sync failed (injected)"),
        }
    }

    fn of(kind: &FaultKind) -> Option<Injected> {
        match kind {
            FaultKind::DiskError { .. } => Some(Injected::Error),
            FaultKind::NoSpace { .. } => Some(Injected::NoSpace),
            FaultKind::FailSync { .. } => Some(Injected::FailSync),
            _ => None,
        }
    }

    fn fits(self, operation: &Operation) -> bool {
        if planted::on(Plant::RequestSpared) && operation.kind() == RequestKind::Rename {
            return false;
        }
        match self {
            Injected::Error => !matches!(operation, Operation::Len { .. }),
            Injected::NoSpace => operation.takes_space(),
            Injected::FailSync => operation.kind() == RequestKind::Sync,
        }
    }
}

/// The faults that wait for a request of one machine.
#[derive(Debug, Default)]
pub(super) struct Armed {
    anchored: Vec<(u32, u64, u64, usize)>,
    /// By the number of a request among all of its incarnation.
    numbered: Vec<(u32, u64, usize)>,
    next: Vec<(Injected, usize)>,
    /// Evictions that strike when these requests are done.
    evictions: Vec<(u64, u64, usize)>,
}

/// The counter of requests of this role and kind.
pub(super) fn counter_of(role_hash: u64, kind: RequestKind) -> u64 {
    mix64(role_hash, kind.word())
}

/// The hash of a role.
#[must_use]
pub fn role_hash(role: &str) -> u64 {
    hash_bytes(0x726f_6c65, role.as_bytes())
}

impl Ground {
    /// Adds a fault; it strikes at its anchor.
    ///
    /// # Panics
    /// When it names a machine that there is not: it could never strike.
    pub fn add_fault(&self, fault: Fault) {
        let index = self.faults.borrow().len();
        self.refuse_strangers(&fault);
        match &fault.anchor {
            Anchor::At(instant) => self.queue.borrow_mut().push(*instant, Due::Fault(index)),
            Anchor::Signal(_) => {}
            Anchor::Disk(anchor) => {
                let counter = counter_of(role_hash(&anchor.role), anchor.kind);
                let place = (anchor.incarnation, counter, anchor.ordinal, index);
                self.with_armed(&anchor.machine, |armed| armed.anchored.push(place));
            }
            Anchor::Request(anchor) => {
                let place = (anchor.incarnation, anchor.ordinal, index);
                self.with_armed(&anchor.machine, |armed| armed.numbered.push(place));
            }
        }
        self.faults.borrow_mut().push((fault, false));
    }

    fn with_armed(&self, machine: &str, arm: impl FnOnce(&mut Armed)) {
        let mut machines = self.machines.borrow_mut();
        let named = machines.iter_mut().find(|other| *other.name == *machine);
        let named = named.unwrap_or_else(|| panic!("a fault waits for a machine {machine}: none"));
        arm(&mut named.armed);
    }

    fn refuse_strangers(&self, fault: &Fault) {
        let count = self.machines_count();
        for Address(machine) in fault.kind.machines() {
            assert!(
                (machine as usize) < count,
                "a fault is to strike machine {machine} of {count}"
            );
        }
    }

    /// Strikes with the faults that wait for this signal.
    pub fn signal(&self, number: u64) {
        let wanted = Anchor::Signal(number);
        let due: Vec<usize> = {
            let faults = self.faults.borrow();
            let waits =
                |(_, (fault, struck)): &(usize, &(Fault, bool))| !struck && fault.anchor == wanted;
            faults
                .iter()
                .enumerate()
                .filter(waits)
                .map(|(index, _)| index)
                .collect()
        };
        for index in due {
            self.strike(index);
        }
    }

    /// The faults that have not struck so far, by number.
    pub fn faults_waiting(&self) -> Vec<usize> {
        let faults = self.faults.borrow();
        let waiting = faults.iter().enumerate().filter(|(_, (_, struck))| !struck);
        waiting.map(|(index, _)| index).collect()
    }

    /// Forgets every fault that has not struck: the healing phase meets none.
    pub fn disarm(&self) {
        for machine in self.machines.borrow_mut().iter_mut() {
            machine.armed = Armed::default();
        }
        self.queue
            .borrow_mut()
            .retain(|due| !matches!(due, Due::Fault(_)));
        self.disarmed.set(true);
    }

    pub(super) fn strike(&self, index: usize) {
        if self.disarmed.get() {
            return;
        }
        let Fault { anchor, kind } = self.faults.borrow()[index].0.clone();
        let has_struck = match kind {
            FaultKind::DiskError { machine } => {
                return self.arm_next(machine, Injected::Error, index);
            }
            FaultKind::NoSpace { machine } => {
                return self.arm_next(machine, Injected::NoSpace, index);
            }
            FaultKind::FailSync { machine } => {
                return self.arm_next(machine, Injected::FailSync, index);
            }
            FaultKind::Crash { machine, how, down } => {
                self.take_away(machine, Outage::Crash { how, down })
            }
            FaultKind::Pause { machine, duration } => {
                self.take_away(machine, Outage::Pause { duration })
            }
            FaultKind::Wipe { machine, down } => self.take_away(machine, Outage::Wipe { down }),
            FaultKind::Zone { machines, outage } => {
                let taken = machines
                    .iter()
                    .filter(|machine| self.take_away(**machine, outage));
                taken.count() > 0
            }
            FaultKind::Evict { machine } => {
                self.machines.borrow_mut()[machine.0 as usize]
                    .disk
                    .evict_all();
                true
            }
            FaultKind::Partition { barrier, duration } => {
                self.plan_barrier(barrier, self.now(), self.now().after(duration));
                true
            }
            FaultKind::Swizzle { among, duration } => {
                self.swizzle(&among, duration, &anchor);
                true
            }
            FaultKind::DropPackets { count } => {
                self.fabric.borrow_mut().doom(count);
                true
            }
            FaultKind::ClockJump { machine, micros } => {
                self.machines.borrow_mut()[machine.0 as usize]
                    .wall
                    .jump(micros);
                true
            }
            FaultKind::ClockDrift {
                machine,
                ppm,
                duration,
            } => {
                self.drift(machine, ppm, duration);
                true
            }
        };
        if has_struck {
            self.struck(index);
        }
    }

    /// Strikes with the evictions that wait for the end of this request.
    pub(super) fn strike_completion(&self, machine: Address, counter: u64, ordinal: u64) {
        let due = {
            let machines = &mut self.machines.borrow_mut()[machine.0 as usize];
            let evictions = &mut machines.armed.evictions;
            let index = evictions
                .iter()
                .position(|(of, at, _)| (*of, *at) == (counter, ordinal));
            index.map(|index| evictions.swap_remove(index).2)
        };
        if let Some(index) = due {
            self.strike(index);
        }
    }

    /// Forgets what waits for requests of an incarnation that has ended.
    pub(super) fn forget_evictions(&self, machine: Address) {
        self.machines.borrow_mut()[machine.0 as usize]
            .armed
            .evictions
            .clear();
    }

    fn arm_next(&self, machine: Address, injected: Injected, index: usize) {
        self.machines.borrow_mut()[machine.0 as usize]
            .armed
            .next
            .push((injected, index));
    }

    fn struck(&self, index: usize) {
        let mark = {
            let mut faults = self.faults.borrow_mut();
            faults[index].1 = true;
            faults[index].0.kind.mark()
        };
        let now = self.now();
        self.mark(mark);
        self.event(Kind::Fault, [index as u64, now.as_nanos(), 0], || {
            mark.to_owned()
        });
        self.set_here_of_world();
        tracing::warn!(target: "sim", "{}", mark.replace('.', " "));
        self.log(WorldEvent::Struck { fault: index });
    }

    /// Strikes with the faults that are anchored at this request, in the order in which they were added.
    /// A disk fault meets this very request when it can; else the machine's next that it can meet.
    fn strike_anchored(
        &self,
        machine: Address,
        operation: &Operation,
        counter: u64,
        (ordinal, number): (u64, u64),
    ) -> Option<Injected> {
        let mut met = None;
        for index in self.take_anchored(machine, counter, (ordinal, number)) {
            let kind = self.faults.borrow()[index].0.kind.clone();
            match Injected::of(&kind) {
                Some(injected) if met.is_none() && injected.fits(operation) => {
                    self.struck(index);
                    met = Some(injected);
                }
                // What the request leaves in the cache is what is to be evicted.
                None if matches!(kind, FaultKind::Evict { .. }) => {
                    let state = &mut self.machines.borrow_mut()[machine.0 as usize];
                    state.armed.evictions.push((counter, ordinal, index));
                }
                _ => self.strike(index),
            }
        }
        met
    }

    fn take_anchored(
        &self,
        machine: Address,
        counter: u64,
        (ordinal, number): (u64, u64),
    ) -> Vec<usize> {
        let state = &mut self.machines.borrow_mut()[machine.0 as usize];
        let here = (state.incarnation, counter, ordinal);
        let is_here = |place: &mut (u32, u64, u64, usize)| (place.0, place.1, place.2) == here;
        let of_name = state.armed.anchored.extract_if(.., is_here);
        let mut taken: Vec<usize> = of_name.map(|place| place.3).collect();
        let here = (state.incarnation, number);
        let is_here = |place: &mut (u32, u64, usize)| (place.0, place.1) == here;
        let of_number = state.armed.numbered.extract_if(.., is_here);
        taken.extend(of_number.map(|place| place.2));
        // In the order in which they were added, however they are anchored.
        taken.sort_unstable();
        taken
    }

    /// What strikes this request, the `ordinal`-th of its counter and the `number`-th of its incarnation.
    pub(super) fn strike_request(
        &self,
        machine: Address,
        operation: &Operation,
        counter: u64,
        (ordinal, number): (u64, u64),
    ) -> Option<Injected> {
        let met = self.strike_anchored(machine, operation, counter, (ordinal, number));
        if let Some(injected) = met {
            return Some(injected);
        }
        let fitting = {
            let mut machines = self.machines.borrow_mut();
            let next = &mut machines[machine.0 as usize].armed.next;
            let index = next
                .iter()
                .position(|(injected, _)| injected.fits(operation));
            index.map(|index| next.remove(index))
        };
        let (injected, index) = fitting?;
        self.struck(index);
        Some(injected)
    }

    /// Ends a machine's incarnation at once, so that its handles reach nothing any more; its tasks
    /// are dropped when the current poll ends.
    pub fn end_life(&self, machine: Address) -> bool {
        let machines = self.machines.borrow();
        let Some(life) = &machines[machine.0 as usize].life else {
            return false;
        };
        if life.has_ended() {
            return false;
        }
        Rc::clone(life).end();
        self.packets.borrow_mut().set_open(machine, false);
        true
    }
}
