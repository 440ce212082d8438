//! Vocabulary of scheduling: a policy gives each wake a priority, and the lowest runs first.

/// A task became ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Hash of the task's name, unique among the tasks of a run.
    pub task: u64,
    /// How many tasks were spawned before this one.
    pub spawned: u64,
    /// How often this task was woken, this wake included.
    pub number: u64,
    /// How many wakes of all tasks came before.
    pub step: u64,
}

/// A ready task is about to be polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Hash of the task's name.
    pub task: u64,
    /// The priority of its wake.
    pub priority: u64,
    /// How many polls came before.
    pub number: u64,
}

/// Decides who runs next.
pub trait Policy {
    /// The priority of a wake; of all that are ready the lowest runs first, equal ones in the order
    /// in which they were woken. Called once a wake, when the task becomes ready.
    fn priority(&mut self, wake: Wake) -> u64;

    /// The ready task of lowest priority is about to be polled. An answer puts it back with that
    /// priority, and the choice is made again; a policy may answer so only finitely often a poll.
    fn pick(&mut self, _pick: Pick) -> Option<u64> {
        None
    }
}

/// First come, first served: the fair order, for phases that must make progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fifo;

impl Policy for Fifo {
    #[inline]
    fn priority(&mut self, wake: Wake) -> u64 {
        wake.step
    }
}
