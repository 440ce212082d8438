//! Steps of a run: changes of power, then what is due now, then the ready task of lowest priority;
//! when nothing is ready, time moves to what is due next.

use std::fmt;
use std::time::Duration;

use super::build::World;
use crate::executor::Outcome;
use crate::machine::{PowerAction, Stop};
use crate::network::Address;
use crate::time::Instant;
use crate::trace::Kind;

/// When a run is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Virtual time.
    pub until: Instant,
    /// Polls in all.
    pub polls_max: u64,
    /// Polls at one instant: more is a livelock.
    pub polls_at_once_max: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            until: Instant::ZERO.after(Duration::from_secs(3600)),
            polls_max: 50_000_000,
            polls_at_once_max: 200_000,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The harness said so.
    Finished,
    /// Nothing is ready and nothing is due: whoever waits, waits for ever.
    Deadlock {
        /// Tasks that wait.
        tasks_count: usize,
        /// Names of tasks, by machine, of the incarnations that are up.
        names: Vec<String>,
    },
    /// Virtual time ran out.
    OutOfTime,
    /// The polls ran out.
    OutOfSteps,
    /// Tasks kept one another ready at one instant.
    Livelock {
        /// The last task that was polled.
        task: String,
    },
    /// A task was woken from another thread: the order of events is no longer the plan's.
    ForeignWake,
}

impl fmt::Display for RunEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunEnd::Finished => f.write_str("finished"),
            RunEnd::Deadlock { tasks_count, names } => {
                write!(
                    f,
                    "deadlock: {tasks_count} tasks wait for ever ({})",
                    names.join(", ")
                )
            }
            RunEnd::OutOfTime => f.write_str("virtual time ran out"),
            RunEnd::OutOfSteps => f.write_str("the polls ran out"),
            RunEnd::Livelock { task } => write!(f, "livelock: time stands still at {task}"),
            RunEnd::ForeignWake => f.write_str("a task was woken from another thread"),
        }
    }
}

impl World {
    /// Runs until the harness finishes it or a limit is met.
    pub fn run(&self, limits: Limits) -> RunEnd {
        let ground = &*self.ground;
        ground.begin_run();
        let mut polls_count = 0_u64;
        let mut polls_at_once = 0_u64;
        loop {
            if ground.take_interrupt() {
                while let Some(action) = ground.next_power_action() {
                    self.change_power(action);
                }
                if ground.is_finished() {
                    return RunEnd::Finished;
                }
                ground.executor().collect_wakes();
            }
            if let Some(machine) = ground.do_due() {
                self.boot_if_down(machine);
                ground.executor().collect_wakes();
                continue;
            }
            if ground.is_interrupted() {
                continue;
            }
            if let Some(task) = self.poll_one() {
                polls_count += 1;
                polls_at_once += 1;
                if polls_count >= limits.polls_max {
                    return RunEnd::OutOfSteps;
                }
                if polls_at_once >= limits.polls_at_once_max {
                    return RunEnd::Livelock {
                        task: self.task_name(task.0, task.1),
                    };
                }
                continue;
            }
            if ground.executor().refused_a_wake() {
                return RunEnd::ForeignWake;
            }
            match ground.next_due() {
                None => return self.deadlock(),
                Some(due) if due > limits.until => {
                    ground.advance(limits.until.max(ground.now()));
                    return RunEnd::OutOfTime;
                }
                Some(due) => {
                    ground.advance(due);
                    polls_at_once = 0;
                }
            }
        }
    }

    /// Polls one task, if one is ready; gives its name's hash and machine.
    #[inline]
    fn poll_one(&self) -> Option<(u64, Address)> {
        let ground = &*self.ground;
        let now = ground.now().as_nanos();
        let polled = ground
            .executor()
            .poll_next(|name_hash, wake_number, group| {
                let machine = Address(group.machine);
                ground.event(Kind::Poll, [name_hash, wake_number, now], || {
                    self.task_name(name_hash, machine)
                });
                ground.set_here(machine, group.incarnation);
            })?;
        let machine = Address(polled.group.machine);
        match polled.outcome {
            Outcome::Pending => {}
            Outcome::Done => {
                let words = [polled.name_hash, polled.wake_number, 0];
                ground.event(Kind::End, words, || {
                    self.task_name(polled.name_hash, machine)
                });
            }
            Outcome::Panicked(message) => {
                let words = [polled.name_hash, polled.wake_number, 1];
                ground.event(Kind::End, words, || message.clone());
                let task = self.task_name(polled.name_hash, machine);
                ground.ended(machine, Stop::Panic { task, message });
            }
        }
        Some((polled.name_hash, machine))
    }

    fn change_power(&self, action: PowerAction) {
        match action {
            PowerAction::Stop {
                machine,
                stop,
                revive_after,
            } => self.ground.stop(machine, stop, revive_after),
            PowerAction::Wipe { machine } => self.ground.wipe(machine),
        }
    }

    fn task_name(&self, name_hash: u64, machine: Address) -> String {
        self.ground.task_name(machine, name_hash)
    }

    fn deadlock(&self) -> RunEnd {
        let mut names = Vec::new();
        for index in 0..self.ground.machines_count() {
            let machine = Address(u32::try_from(index).expect("fewer than 2^32 machines"));
            let (name, is_up) = self
                .ground
                .with_machine(machine, |machine| (machine.name(), machine.is_up()));
            if is_up {
                let tasks = self.ground.task_names(machine);
                names.extend(
                    tasks
                        .into_iter()
                        .map(|(task, count)| format!("{name}:{task}×{count}")),
                );
            }
        }
        RunEnd::Deadlock {
            tasks_count: self.tasks_count(),
            names,
        }
    }
}
