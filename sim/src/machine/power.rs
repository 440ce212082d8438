//! Steps of a stop: the incarnation ends, its tasks are dropped one by one, requests in flight land
//! or not, the disk loses what this kind of stop loses, the machine stays down or comes back.

use std::io;
use std::time::Duration;

use super::ground::{Due, Ground, WorldEvent};
use super::state::Machine;
use super::submit::InFlight;
use crate::disk::{CrashKind, CrashReport, KeyedChance};
use crate::entropy::{StreamKey, mix64};
use crate::executor::Group;
use crate::network::Address;
use crate::planted::{self, Plant};
use crate::trace::Kind;

/// How an incarnation ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// From outside.
    Crash(CrashKind),
    /// Its main task returned; `Err` says why.
    Exit(Result<(), String>),
    /// One of its tasks panicked.
    Panic {
        /// The task's name.
        task: String,
        /// The panic's message and place.
        message: String,
    },
}

impl Stop {
    fn crash_kind(&self) -> CrashKind {
        match self {
            Stop::Crash(kind) => *kind,
            Stop::Exit(_) | Stop::Panic { .. } => CrashKind::ProcessKill,
        }
    }

    fn word(&self) -> u64 {
        match self {
            Stop::Crash(CrashKind::ProcessKill) => 1,
            Stop::Crash(CrashKind::KernelPanic) => 2,
            Stop::Crash(CrashKind::PowerCut) => 3,
            Stop::Exit(Ok(())) => 4,
            Stop::Exit(Err(_)) => 5,
            Stop::Panic { .. } => 6,
        }
    }
}

/// What says in a fingerprint that a disk was replaced.
const WIPED_WORD: u64 = 7;

/// A change of power that waits until no task is being polled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PowerAction {
    /// Stop a machine whose incarnation has ended.
    Stop {
        /// The machine.
        machine: Address,
        /// How.
        stop: Stop,
        /// When it comes back; never when absent.
        revive_after: Option<Duration>,
    },
    /// Put an empty disk into a machine that is down.
    Wipe {
        /// The machine.
        machine: Address,
    },
}

impl Ground {
    pub(super) fn order(&self, action: PowerAction) {
        self.power_actions.borrow_mut().push_back(action);
        self.interrupt();
    }

    /// The next change of power that is due now.
    pub fn next_power_action(&self) -> Option<PowerAction> {
        self.power_actions.borrow_mut().pop_front()
    }

    /// Stops a machine from outside, now.
    pub fn crash(&self, machine: Address, how: CrashKind, revive_after: Option<Duration>) {
        if self.end_life(machine) {
            self.order(PowerAction::Stop {
                machine,
                stop: Stop::Crash(how),
                revive_after,
            });
        }
    }

    /// Says that a machine's software ended by itself.
    pub fn ended(&self, machine: Address, stop: Stop) {
        if self.end_life(machine) {
            let revive_after = self.machines.borrow_mut()[machine.0 as usize].revive_after();
            self.order(PowerAction::Stop {
                machine,
                stop,
                revive_after,
            });
        }
    }

    /// Puts an empty disk into a machine that is down.
    pub fn wipe(&self, machine: Address) {
        let incarnation = {
            let state = &mut self.machines.borrow_mut()[machine.0 as usize];
            assert!(!state.is_up(), "{} is wiped while it is up", state.name);
            state.wipe();
            state.incarnation
        };
        let words = [u64::from(machine.0), u64::from(incarnation), WIPED_WORD];
        self.event(Kind::Power, words, || "its disk is empty".to_owned());
        self.set_here(machine, incarnation);
        self.mark("machine.disk.wiped");
        tracing::warn!(target: "sim", "the disk is replaced by an empty one");
        self.log(WorldEvent::Wiped { machine });
    }

    /// Carries a stop out.
    pub fn stop(&self, machine: Address, stop: Stop, revive_after: Option<Duration>) {
        let incarnation = self.machines.borrow()[machine.0 as usize].incarnation;
        let group = Group {
            machine: machine.0,
            incarnation,
        };
        for message in self.executor.drop_group(group) {
            tracing::error!(target: "sim", "panic while dropping a task: {message}");
            self.log(WorldEvent::DropPanicked {
                machine,
                incarnation,
                message,
            });
        }
        let in_flight = self.take_in_flight(machine);
        self.forget_evictions(machine);
        let unheard = self.packets.borrow_mut().clear(machine);
        drop(unheard);
        let report = {
            let mut machines = self.machines.borrow_mut();
            let machine = &mut machines[machine.0 as usize];
            land(machine, in_flight);
            let key = StreamKey(mix64(machine.key.child("crash").0, u64::from(incarnation)));
            machine.requests.clear();
            machine.requests_count = 0;
            machine.task_names.clear();
            machine.life = None;
            machine
                .disk
                .crash(stop.crash_kind(), &mut KeyedChance { key })
        };
        let words = [u64::from(machine.0), u64::from(incarnation), stop.word()];
        self.event(Kind::Power, words, || format!("{stop:?}"));
        self.say_stop(machine, incarnation, &stop, &report);
        self.log(WorldEvent::Stopped {
            machine,
            incarnation,
            stop,
            report,
        });
        if let Some(after) = revive_after {
            if planted::on(Plant::ClockStands) {
                let micros = i64::try_from(after.as_micros()).unwrap_or(i64::MAX);
                self.with_machine(machine, |machine| machine.wall.jump(-micros));
            }
            let due = self.quantise(self.now().after(after));
            self.queue.borrow_mut().push(due, Due::Boot(machine));
        }
    }

    fn say_stop(&self, machine: Address, incarnation: u32, stop: &Stop, report: &CrashReport) {
        self.set_here(machine, incarnation);
        match stop {
            Stop::Crash(CrashKind::ProcessKill) => {
                self.mark("machine.crash.kill");
                tracing::warn!(target: "sim", "process killed");
            }
            Stop::Crash(CrashKind::KernelPanic) => {
                self.mark("machine.crash.panic");
                tracing::warn!(target: "sim", "kernel panic: {}", losses(report));
            }
            Stop::Crash(CrashKind::PowerCut) => {
                self.mark("machine.crash.power");
                tracing::warn!(target: "sim", "power cut: {}", losses(report));
            }
            Stop::Exit(Ok(())) => {
                self.mark("machine.exit.clean");
                tracing::info!(target: "sim", "process ended");
            }
            Stop::Exit(Err(cause)) => {
                self.mark("machine.exit.error");
                tracing::error!(target: "sim", "process ended: {cause}");
            }
            Stop::Panic { task, message } => {
                self.mark("machine.exit.panic");
                tracing::error!(target: "sim", "{task} panicked: {message}");
            }
        }
    }
}

/// Each request in flight lands or not; whether it does hangs on its own name only.
fn land(machine: &mut Machine, in_flight: Vec<InFlight>) {
    let key = machine.key.child("in-flight");
    for request in in_flight {
        let name = mix64(
            mix64(u64::from(machine.incarnation), request.counter),
            request.ordinal,
        );
        if request.injected.is_none() && key.word(name) & 1 == 1 {
            // What it would have answered reaches nobody; it may also fail, as at any other time.
            let _: io::Result<_> = request
                .operation
                .execute(&mut machine.disk)
                .map_err(Into::into);
        }
    }
}

fn losses(report: &CrashReport) -> String {
    let CrashReport {
        units_kept,
        units_lost,
        units_between,
        names_kept,
        names_lost,
        ..
    } = report;
    format!(
        "of what was not synced {units_kept} sectors stay, {units_lost} are lost, \
         {units_between} hold something older; {names_kept} names stay, {names_lost} are lost"
    )
}
