//! Invariants of the recorder: what clients saw and what the world did stand in one order, the order
//! in which they happened.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_sim::host::Address;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{Controls, Stop, WorldEvent};

use super::build::NODE;
use crate::history::{Event, History};
use crate::plan::{CrashKind, Fault};

/// Each operation begins and ends.
const EVENTS_PER_OPERATION: usize = 2;

/// A place in a history that is still being recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    seen_count: usize,
    logged_count: usize,
}

impl Place {
    /// How many events of the history, without faults, come before this place.
    #[must_use]
    pub fn events_before(self, world: &[(Instant, WorldEvent)]) -> usize {
        let logged = &world[..self.logged_count];
        let told = logged
            .iter()
            .filter(|(at, event)| of_world(*at, event, 0, &[]).is_some());
        self.seen_count + told.count()
    }
}

/// Collects the history of one run. Clones record into the same history.
#[derive(Clone, Debug)]
pub struct Recorder {
    controls: Controls,
    /// What clients saw, each with how many events the world had logged before.
    seen: Rc<RefCell<Vec<(usize, Event)>>>,
}

impl Recorder {
    /// An empty history of the world behind these controls, with room for `operations_count` operations.
    #[must_use]
    pub fn new(controls: Controls, operations_count: usize) -> Recorder {
        let seen = Vec::with_capacity(EVENTS_PER_OPERATION * operations_count);
        Recorder {
            controls,
            seen: Rc::new(RefCell::new(seen)),
        }
    }

    /// Virtual time.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.controls.now()
    }

    /// Records what a client or the harness saw.
    pub fn push(&self, event: Event) {
        self.seen
            .borrow_mut()
            .push((self.controls.events_count(), event));
    }

    /// How much was recorded, and how much the world had logged, up to now.
    #[must_use]
    pub fn place(&self) -> Place {
        Place {
            seen_count: self.seen.borrow().len(),
            logged_count: self.controls.events_count(),
        }
    }

    /// The history, with what the world logged put where it happened. What was recorded so far is
    /// handed over: the next history begins empty.
    #[must_use]
    pub fn history(&self, world: &[(Instant, WorldEvent)], faults: &[Fault]) -> History {
        let seen = self.seen.take();
        let mut history = History::with_room_for(seen.len() + world.len());
        let mut logged = world.iter().enumerate().peekable();
        let mut incarnation = 0;
        let mut push_world = |history: &mut History, at: Instant, event: &WorldEvent| {
            if let WorldEvent::Booted {
                machine: NODE,
                incarnation: next,
            } = event
            {
                incarnation = *next;
            }
            if let Some(event) = of_world(at, event, incarnation, faults) {
                history.push(event);
            }
        };
        for (before_count, event) in seen {
            while let Some((_, (at, event))) = logged.next_if(|(index, _)| *index < before_count) {
                push_world(&mut history, *at, event);
            }
            history.push(event);
        }
        for (_, (at, event)) in logged {
            push_world(&mut history, *at, event);
        }
        history
    }
}

fn of_world(at: Instant, event: &WorldEvent, running: u32, faults: &[Fault]) -> Option<Event> {
    let of_node = |machine: &Address| *machine == NODE;
    match event {
        WorldEvent::Booted {
            machine,
            incarnation,
        } => of_node(machine).then_some(Event::Booting {
            at,
            incarnation: *incarnation,
        }),
        WorldEvent::Stopped {
            machine,
            incarnation,
            stop,
            ..
        } => of_node(machine).then(|| of_stop(at, *incarnation, stop)),
        WorldEvent::DropPanicked {
            machine,
            incarnation,
            message,
        } => of_node(machine).then(|| Event::Panicked {
            at,
            incarnation: *incarnation,
            task: "a destructor".to_owned(),
            message: message.clone(),
        }),
        WorldEvent::Marked {
            machine,
            incarnation,
            mark,
        } => of_node(machine).then_some(Event::Marked {
            at,
            incarnation: *incarnation,
            mark,
        }),
        WorldEvent::Wiped { .. } => None,
        WorldEvent::Struck { fault } => {
            let index = *fault;
            let fault = faults.get(index)?;
            super::faults::is_of_disk(&fault.kind).then(|| Event::DiskFault {
                at,
                incarnation: running,
                role: super::faults::role_of(index, faults),
                what: format!("{:?} at {}", fault.kind, fault.at),
            })
        }
    }
}

fn of_stop(at: Instant, incarnation: u32, stop: &Stop) -> Event {
    use cenotaph_sim::disk::CrashKind as Simulated;
    match stop {
        Stop::Crash(kind) => Event::Crashed {
            at,
            incarnation,
            kind: match kind {
                Simulated::ProcessKill => CrashKind::Kill,
                Simulated::KernelPanic => CrashKind::Panic,
                Simulated::PowerCut => CrashKind::Power,
            },
        },
        Stop::Exit(result) => Event::Exited {
            at,
            incarnation,
            error: result.as_ref().err().cloned(),
        },
        Stop::Panic { task, message } => {
            let (task, message) = (task.clone(), message.clone());
            Event::Panicked {
                at,
                incarnation,
                task,
                message,
            }
        }
    }
}
