//! Vocabulary of tasks: a future with a name, in a group that can be dropped together.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Waker;

use super::policy::Wake;
use super::waker::TaskWaker;

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

pub(super) type TaskFuture = Pin<Box<dyn Future<Output = ()>>>;

/// The place of a task in the pool.
pub(super) struct Slot {
    pub(super) generation: u32,
    pub(super) live: Option<Live>,
}

impl Slot {
    /// The wake for which this task is queued, if it is still the same task.
    pub(super) fn wake_of(&self, task: TaskId, step: u64) -> Option<Wake> {
        let live = self.live.as_ref()?;
        (self.generation == task.generation).then_some(Wake {
            task: live.name_hash,
            spawned: live.spawned,
            number: live.wakes_count,
            step,
        })
    }
}

/// What belongs to a task that has not ended.
pub(super) struct Live {
    /// The future and its waker; absent while it is being polled.
    pub(super) parked: Option<(TaskFuture, Waker)>,
    pub(super) name_hash: u64,
    pub(super) group: Group,
    /// How many tasks were spawned before.
    pub(super) spawned: u64,
    pub(super) wakes_count: u64,
    pub(super) queued: bool,
    /// Its group was dropped while it was being polled.
    pub(super) doomed: bool,
}

impl Live {
    pub(super) fn new(
        future: TaskFuture,
        waker: Arc<TaskWaker>,
        name_hash: u64,
        group: Group,
        spawned: u64,
    ) -> Live {
        Live {
            parked: Some((future, Waker::from(waker))),
            name_hash,
            group,
            spawned,
            wakes_count: 0,
            queued: false,
            doomed: false,
        }
    }
}
