//! Vocabulary of tasks: a future with a name, in a group that can be dropped together.

use std::task::Waker;

use super::body::BoxedBody;
use super::policy::Wake;

/// A task of a run. A slot that is used again gets a new generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// The tasks of one incarnation of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// The machine's number.
    pub machine: u32,
    /// Its incarnation.
    pub incarnation: u32,
}

/// A future with the waker that every poll of it gets.
pub(super) type Parked = (BoxedBody, Waker);

/// What a slot's task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// There is none.
    Free,
    /// It waits to be woken.
    Idle,
    /// It was woken and has not been polled.
    Woken,
}

/// The place of a task in the pool.
pub(super) struct Slot {
    pub(super) generation: u32,
    pub(super) state: State,
    pub(super) group: Group,
    pub(super) name_hash: u64,
    /// How many tasks were spawned before.
    pub(super) spawned: u64,
    pub(super) wakes_count: u64,
}

impl Slot {
    /// A place without a task.
    pub(super) fn free() -> Slot {
        Slot {
            generation: 0,
            state: State::Free,
            group: Group {
                machine: 0,
                incarnation: 0,
            },
            name_hash: 0,
            spawned: 0,
            wakes_count: 0,
        }
    }

    /// The last wake of the task, the `step`-th of all.
    #[inline]
    pub(super) fn last_wake(&self, step: u64) -> Wake {
        Wake {
            task: self.name_hash,
            spawned: self.spawned,
            number: self.wakes_count,
            step,
        }
    }
}
