//! Invariants of the ground that hosts stand on: one clock, one queue of what happens when, one
//! trace; each part is borrowed for moments only, never across a poll.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::barriers::{Held, Planned};
use super::inbox::Packets;
use super::options::WorldOptions;
use super::place::Place;
use super::power::{PowerAction, Stop};
use super::state::{Machine, MachineOptions};
use super::submit::Requests;
use super::waits::{Wait, Waits};
use super::watch::Watcher;
use crate::disk::CrashReport;
use crate::executor::{Executor, StallOptions};
use crate::fault::Fault;
use crate::network::{Address, Fabric};
use crate::planted::{self, Plant};
use crate::time::{Instant, Queue};
use crate::trace::{At, Kind, Marks, Trace, set_here};

/// What happens when it is due.
#[derive(Clone, Copy, Debug)]
pub enum Due {
    /// A sleep ends.
    Wait(Wait),
    /// A packet arrives.
    Deliver(u32),
    /// A disk request is carried out.
    Request {
        /// Its slot.
        slot: u32,
        /// Its number.
        number: u64,
    },
    /// A fault strikes.
    Fault(usize),
    /// A barrier is put up.
    Close(u32),
    /// A barrier is taken down.
    Open(u32),
    /// A pause of a machine ends, if this incarnation of it is still there.
    Thaw {
        /// The machine.
        machine: Address,
        /// The incarnation.
        incarnation: u32,
    },
    /// A machine's wall clock runs as it was made to again.
    EndDrift {
        /// The machine.
        machine: Address,
        /// Which drift ends.
        number: u32,
    },
    /// A machine boots.
    Boot(Address),
}

/// What the harness may want to know of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldEvent {
    /// A machine booted.
    Booted {
        /// The machine.
        machine: Address,
        /// Its new incarnation.
        incarnation: u32,
    },
    /// A machine went down.
    Stopped {
        /// The machine.
        machine: Address,
        /// The incarnation that ended.
        incarnation: u32,
        /// How.
        stop: Stop,
        /// What the disk lost.
        report: CrashReport,
    },
    /// A destructor panicked while an incarnation's tasks were dropped.
    DropPanicked {
        /// The machine.
        machine: Address,
        /// The incarnation.
        incarnation: u32,
        /// The panic's message.
        message: String,
    },
    /// A machine's disk was replaced by an empty one.
    Wiped {
        /// The machine.
        machine: Address,
    },
    /// A fault struck.
    Struck {
        /// Its number, in the order in which faults were added.
        fault: usize,
    },
    /// A machine's software reached a mark that is logged.
    Marked {
        /// The machine.
        machine: Address,
        /// The incarnation.
        incarnation: u32,
        /// The mark.
        mark: &'static str,
    },
}

thread_local! {
    static ALIVE_COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Everything of a run but the software that runs in it.
#[derive(Debug)]
pub struct Ground {
    pub(super) options: WorldOptions,
    pub(super) now_nanos: Cell<u64>,
    pub(super) queue: RefCell<Queue<Due>>,
    pub(super) trace: RefCell<Trace>,
    pub(super) marks: RefCell<Marks>,
    pub(super) fabric: RefCell<Fabric>,
    pub(super) packets: RefCell<Packets>,
    pub(super) barriers: RefCell<Planned>,
    pub(super) held: RefCell<Held>,
    pub(super) machines: RefCell<Vec<Machine>>,
    pub(super) waits: RefCell<Waits>,
    pub(super) requests: RefCell<Requests>,
    pub(super) faults: RefCell<Vec<(Fault, bool)>>,
    pub(super) disarmed: Cell<bool>,
    finished: Cell<bool>,
    interrupted: Cell<bool>,
    pub(super) power_actions: RefCell<VecDeque<PowerAction>>,
    pub(super) events: RefCell<Vec<(Instant, WorldEvent)>>,
    pub(super) executor: Executor,
    pub(super) watcher: RefCell<Option<Watcher>>,
}

impl Ground {
    /// An empty ground.
    #[must_use]
    pub fn new(options: WorldOptions) -> Rc<Ground> {
        assert!(
            options.quantum_nanos > 0,
            "a quantum of no time divides nothing"
        );
        ALIVE_COUNT.with(|count| count.set(count.get() + 1));
        let policy = options.schedule.policy(options.key);
        let stall = StallOptions {
            ratio: options.stall,
            nanos_max: options.stall_nanos_max,
            quantum_nanos: options.quantum_nanos,
        };
        let fabric = Fabric::new(options.key.stream("network"), options.link);
        let executor = Executor::new(policy, options.key.stream("stall"), stall);
        executor.set_now(options.begins_at.as_nanos());
        Rc::new(Ground {
            now_nanos: Cell::new(options.begins_at.as_nanos()),
            queue: RefCell::default(),
            trace: RefCell::new(Trace::new(options.window.clone())),
            marks: RefCell::default(),
            fabric: RefCell::new(fabric),
            packets: RefCell::default(),
            barriers: RefCell::default(),
            held: RefCell::default(),
            machines: RefCell::default(),
            waits: RefCell::default(),
            requests: RefCell::default(),
            faults: RefCell::default(),
            disarmed: Cell::new(false),
            finished: Cell::new(false),
            interrupted: Cell::new(false),
            power_actions: RefCell::default(),
            events: RefCell::default(),
            executor,
            watcher: RefCell::default(),
            options,
        })
    }

    /// How many grounds of this thread are alive: none after a run.
    #[must_use]
    pub fn alive_count() -> usize {
        ALIVE_COUNT.with(Cell::get)
    }

    /// Adds a machine, switched off.
    pub fn add_machine(&self, options: MachineOptions) -> Address {
        let key = self.options.key.stream("machine").child(&options.name);
        let mut machines = self.machines.borrow_mut();
        assert!(
            machines
                .iter()
                .all(|machine| *machine.name != *options.name),
            "machine names are unique: {}",
            options.name
        );
        machines.push(Machine::new(options, key));
        self.packets.borrow_mut().add_machine();
        Address(u32::try_from(machines.len() - 1).expect("fewer than 2^32 machines"))
    }

    /// Virtual time.
    #[must_use]
    #[inline]
    pub fn now(&self) -> Instant {
        Instant::from_nanos(self.now_nanos.get())
    }

    /// Rounds an instant up to the quantum.
    #[must_use]
    #[inline]
    pub fn quantise(&self, instant: Instant) -> Instant {
        let quantum = self.options.quantum_nanos;
        let nanos = instant.as_nanos();
        Instant::from_nanos(nanos.div_ceil(quantum).saturating_mul(quantum))
    }

    /// The tasks.
    #[must_use]
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The machines, for the harness.
    pub fn with_machine<T>(&self, machine: Address, look: impl FnOnce(&mut Machine) -> T) -> T {
        look(&mut self.machines.borrow_mut()[machine.0 as usize])
    }

    /// The network, for the harness.
    pub fn with_fabric<T>(&self, change: impl FnOnce(&mut Fabric) -> T) -> T {
        change(&mut self.fabric.borrow_mut())
    }

    /// How many machines there are.
    #[must_use]
    pub fn machines_count(&self) -> usize {
        self.machines.borrow().len()
    }

    /// Takes one event into the fingerprint.
    #[inline]
    pub fn event(&self, kind: Kind, words: [u64; 3], text: impl FnOnce() -> String) {
        self.trace.borrow_mut().event(kind, words, text);
    }

    /// Counts a mark.
    pub fn mark(&self, mark: &'static str) {
        self.marks.borrow_mut().hit(mark);
    }

    /// Counts a mark of a machine's software, and logs it when the harness asked for its kind.
    pub fn mark_of(&self, place: &Place, mark: &'static str) {
        self.mark(mark);
        let is_logged = |prefix: &&str| mark.starts_with(*prefix);
        if self.options.marks_logged.iter().any(is_logged) {
            tracing::debug!(target: "sim", "mark {mark}");
            self.log(WorldEvent::Marked {
                machine: place.machine(),
                incarnation: place.incarnation(),
                mark,
            });
        }
    }

    /// Which marks were reached.
    #[must_use]
    pub fn marks(&self) -> Marks {
        self.marks.borrow().clone()
    }

    /// The trace so far.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.trace.borrow().clone()
    }

    /// Remembers an event for the harness.
    pub fn log(&self, event: WorldEvent) {
        self.events.borrow_mut().push((self.now(), event));
    }

    /// What happened so far, for the harness.
    #[must_use]
    pub fn events(&self) -> Vec<(Instant, WorldEvent)> {
        self.events.borrow().clone()
    }

    /// How many events were logged so far.
    #[must_use]
    pub fn events_count(&self) -> usize {
        self.events.borrow().len()
    }

    /// Tells `tracing` where we are, when somebody listens.
    #[inline]
    pub fn set_here(&self, machine: Address, incarnation: u32) {
        if self.options.observed {
            let name = Rc::clone(&self.machines.borrow()[machine.0 as usize].name);
            set_here(Some(At {
                now: self.now(),
                machine: name,
                incarnation,
            }));
        }
    }

    /// A run begins, or goes on after it was finished once.
    pub fn begin_run(&self) {
        self.finished.set(false);
        self.interrupt();
    }

    /// Ends the run when the present poll is over.
    pub fn finish(&self) {
        self.finished.set(true);
        self.interrupt();
    }

    /// Asks the run to look up from its tasks: it is to end, or a machine's power is to change.
    pub(super) fn interrupt(&self) {
        self.interrupted.set(true);
    }

    /// Whether the run was asked to look up.
    #[must_use]
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// Whether the run was asked to look up since the last time.
    #[must_use]
    #[inline]
    pub fn take_interrupt(&self) -> bool {
        self.interrupted.replace(false)
    }

    /// Whether the harness ended the run.
    #[must_use]
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.finished.get()
    }

    /// Tells `tracing` that what comes is the world's own doing, when somebody listens.
    pub(super) fn set_here_of_world(&self) {
        if self.options.observed {
            set_here(Some(At {
                now: self.now(),
                machine: Rc::from("world"),
                incarnation: 0,
            }));
        }
    }

    /// When the next thing is due.
    #[must_use]
    #[inline]
    pub fn next_due(&self) -> Option<Instant> {
        let queued = self.queue.borrow().next_due();
        match (
            queued,
            self.executor.next_stall_end().map(Instant::from_nanos),
        ) {
            (Some(queued), Some(stalled)) => Some(queued.min(stalled)),
            (queued, stalled) => queued.or(stalled),
        }
    }

    /// Moves virtual time on.
    pub fn advance(&self, to: Instant) {
        assert!(to >= self.now(), "virtual time never goes back");
        self.now_nanos.set(to.as_nanos());
        self.executor.set_now(to.as_nanos());
    }

    /// Does what is due now, one after the other, until the run is asked to look up; gives back a boot,
    /// which is the world's to do.
    #[inline]
    pub fn do_due(&self) -> Option<Address> {
        while !self.interrupted.get() {
            self.touch_waits();
            let due = self.queue.borrow_mut().pop_due(self.now())?;
            match due {
                Due::Wait(_) if planted::on(Plant::SleepsOn) => {}
                Due::Wait(wait) => {
                    let fired = self.waits.borrow_mut().fire(wait);
                    if let Some(waiter) = fired {
                        let now = self.now().as_nanos();
                        self.event(Kind::Timer, [now, 0, 0], || "a sleep ended".to_owned());
                        self.wake(waiter);
                    }
                }
                Due::Deliver(slot) => self.deliver(slot),
                Due::Request { slot, number } => self.complete(slot, number),
                Due::Fault(index) => self.strike(index),
                Due::Close(number) => self.close_way(number),
                Due::Open(number) => self.open_way(number),
                Due::Thaw {
                    machine,
                    incarnation,
                } => self.thaw(machine, incarnation),
                Due::EndDrift { machine, number } => self.end_drift(machine, number),
                Due::Boot(machine) => return Some(machine),
            }
        }
        None
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        ALIVE_COUNT.with(|count| count.set(count.get() - 1));
    }
}
