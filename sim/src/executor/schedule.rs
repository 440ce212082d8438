//! Vocabulary of schedules: the named policies, each with a stream of its own.

use super::keyed_random::KeyedRandom;
use super::pct::Pct;
use super::policy::{Fifo, Policy};
use super::round_robin::RoundRobin;
use super::walk::Walk;
use crate::entropy::RunKey;

/// In which order ready tasks run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Each wake has a uniformly random priority: see [`KeyedRandom`].
    #[default]
    Random,
    /// Each poll takes one of the ready tasks, all with the same chance: see [`Walk`].
    Walk,
    /// Tasks have strict random priorities that change a few times: see [`Pct`].
    Pct {
        /// How many changes.
        changes_count: u32,
        /// Over about how many polls they are spread.
        polls_estimate: u64,
    },
    /// Tasks in a circle, in the order in which they were spawned: see [`RoundRobin`].
    RoundRobin,
    /// First come, first served: see [`Fifo`].
    Fifo,
}

impl Schedule {
    /// The policy of this schedule in the run of this key.
    #[must_use]
    pub fn policy(self, key: RunKey) -> Box<dyn Policy> {
        match self {
            Schedule::Random => Box::new(KeyedRandom(key.stream("schedule"))),
            Schedule::Walk => Box::new(Walk::new(key.stream("schedule.walk"))),
            Schedule::Pct {
                changes_count,
                polls_estimate,
            } => {
                let key = key.stream("schedule.pct");
                Box::new(Pct::new(key, changes_count, polls_estimate))
            }
            Schedule::RoundRobin => Box::new(RoundRobin::default()),
            Schedule::Fifo => Box::new(Fifo),
        }
    }
}
