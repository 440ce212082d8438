//! Vocabulary of scheduling: a policy gives each wake a priority, and the lowest runs first.

use crate::entropy::{StreamKey, mix64};
use crate::planted::{Plant, disturbed};

/// A task became ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Hash of the task's name, unique among the tasks of a run.
    pub task: u64,
    /// How often this task was woken before.
    pub number: u64,
    /// How many wakes of all tasks came before.
    pub step: u64,
}

/// Decides who runs next.
pub trait Policy {
    /// The priority of a wake; of all that are ready the lowest runs first, equal ones in the order
    /// in which they became ready. Called once a wake, in the order of wakes.
    fn priority(&mut self, wake: Wake) -> u64;
}

/// Uniformly random order, keyed by (task name, wake number): removing a task or a wake re-deals
/// no other.
#[derive(Clone, Copy, Debug)]
pub struct KeyedRandom(pub StreamKey);

impl Policy for KeyedRandom {
    #[inline]
    fn priority(&mut self, wake: Wake) -> u64 {
        let word = self.0.word(mix64(wake.task, wake.number));
        disturbed(Plant::HashOrder, word)
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
