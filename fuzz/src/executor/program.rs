//! Vocabulary of programs: what the tasks of a few machines do, one after another; and what is seen of it.

use arbitrary::{Result, Unstructured};

/// Machines of a program; the first tasks are their main ones.
pub(super) const MACHINES_COUNT: usize = 2;
/// Notifications that the tasks of one incarnation share.
pub(super) const CHANNELS_COUNT: usize = 3;

const TASKS_COUNT_MAX: usize = 7;
const STEPS_COUNT_MAX: usize = 12;
/// Tasks that one task may come to, with all that it spawns.
const FAMILY_SIZE_MAX: usize = 40;
/// Later incarnations crash no machine, so that every program comes to an end.
pub(super) const CRASHING_INCARNATION_MAX: u32 = 2;

/// One step of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are what the line of their step says")]
pub enum Step {
    /// Sleeps.
    Sleep { nanos: u64 },
    /// Sleeps until the first of two times; says whether the limit came first.
    Race { limit_nanos: u64, nanos: u64 },
    /// Begins to sleep, and drops the sleep.
    Abandon { nanos: u64 },
    /// Lets others run.
    Yield,
    /// Waits for a notification.
    Wait { channel: usize },
    /// Waits for a notification, but not for ever; says whether the limit came first.
    WaitUntil { channel: usize, limit_nanos: u64 },
    /// Notifies the longest waiting task, or the next that waits.
    NotifyOne { channel: usize },
    /// Notifies all that wait.
    NotifyAll { channel: usize },
    /// Spawns a task, and keeps its handle.
    Spawn { task: usize },
    /// Waits for the task of the oldest handle.
    Join,
    /// Drops the oldest handle.
    Detach,
    /// Kills a machine, which boots again after a while, or not. Does nothing, and says so, in a later
    /// incarnation than the second.
    Crash {
        machine: usize,
        down_nanos: Option<u64>,
    },
}

/// What all tasks do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Instants are multiples of this.
    pub quantum_nanos: u64,
    /// The steps of each task; the first ones are the machines' main tasks.
    pub tasks: Vec<Vec<Step>>,
    /// Whether each main task, after its last step, waits for ever rather than end its machine.
    pub stays: [bool; MACHINES_COUNT],
}

/// That a task finished a step, or its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Virtual time.
    pub nanos: u64,
    /// The task: a hash of its way down from the machine's boot.
    pub task: u64,
    /// Which step; their count for the end.
    pub step: usize,
    /// What the step says.
    pub answer: u64,
}

/// What is seen of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Every step, in order.
    pub entries: Vec<Entry>,
    /// Tasks that a crash dropped, with the time, sorted.
    pub dropped: Vec<(u64, u64)>,
    /// How often tasks were polled.
    pub polls_count: u64,
    /// How many tasks there were.
    pub spawned_count: u64,
}

impl Program {
    /// Draws a program.
    ///
    /// # Errors
    /// The generator's, when it runs dry where it needs a byte.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<Program> {
        let quantum_nanos = 1_u64 << source.int_in_range(0..=20)?;
        let is_plain = source.ratio(1, 4)?;
        let stays = [
            is_plain || source.arbitrary()?,
            is_plain || source.arbitrary()?,
        ];
        let count = source.int_in_range(MACHINES_COUNT..=TASKS_COUNT_MAX)?;
        let mut tasks = vec![Vec::new(); count];
        let mut family_sizes = vec![1; count];
        // A task spawns only later ones, so that families end.
        for index in (0..count).rev() {
            for _ in 0..source.int_in_range(0..=STEPS_COUNT_MAX)? {
                let mut step = Step::draw(source, index, count)?;
                if is_plain && !step.is_plain() {
                    step = Step::Yield;
                }
                if let Step::Spawn { task } = step {
                    let family_size = family_sizes[index] + family_sizes[task];
                    if family_size > FAMILY_SIZE_MAX {
                        step = Step::Yield;
                    } else {
                        family_sizes[index] = family_size;
                    }
                }
                tasks[index].push(step);
            }
        }
        Ok(Program {
            quantum_nanos,
            tasks,
            stays,
        })
    }

    /// Whether what a task does and when hangs on no other task's turn at the same instant.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.stays == [true; MACHINES_COUNT] && self.tasks.iter().flatten().all(Step::is_plain)
    }
}

impl Step {
    fn is_plain(&self) -> bool {
        !matches!(
            self,
            Step::Wait { .. }
                | Step::WaitUntil { .. }
                | Step::NotifyOne { .. }
                | Step::NotifyAll { .. }
                | Step::Crash { .. }
        )
    }

    fn draw(source: &mut Unstructured<'_>, task: usize, tasks_count: usize) -> Result<Step> {
        let channel = |source: &mut Unstructured<'_>| source.int_in_range(0..=CHANNELS_COUNT - 1);
        Ok(match source.int_in_range(0..=13)? {
            0..=2 => Step::Sleep {
                nanos: nanos(source)?,
            },
            3 => Step::Race {
                limit_nanos: nanos(source)?,
                nanos: nanos(source)?,
            },
            4 => Step::Abandon {
                nanos: nanos(source)?,
            },
            5 => Step::Wait {
                channel: channel(source)?,
            },
            6 => Step::WaitUntil {
                channel: channel(source)?,
                limit_nanos: nanos(source)?,
            },
            7 => Step::NotifyOne {
                channel: channel(source)?,
            },
            8 => Step::NotifyAll {
                channel: channel(source)?,
            },
            9 | 10 => {
                let first = (task + 1).max(MACHINES_COUNT);
                if first >= tasks_count {
                    Step::Yield
                } else {
                    Step::Spawn {
                        task: source.int_in_range(first..=tasks_count - 1)?,
                    }
                }
            }
            11 => Step::Join,
            12 => Step::Detach,
            _ => match source.int_in_range(0..=3)? {
                0 => Step::Crash {
                    machine: source.int_in_range(0..=MACHINES_COUNT - 1)?,
                    down_nanos: if source.arbitrary()? {
                        Some(nanos(source)?)
                    } else {
                        None
                    },
                },
                _ => Step::Yield,
            },
        })
    }
}

/// A span of any magnitude up to some minutes, zero included.
fn nanos(source: &mut Unstructured<'_>) -> Result<u64> {
    let bits = source.int_in_range(0..=38)?;
    Ok(source.arbitrary::<u64>()? & ((1 << bits) - 1))
}
