//! Vocabulary of the tests of the pool: tasks that wait until they are woken, and who was polled.

use std::future::poll_fn;
use std::task::Poll;

use cenotaph_sim::entropy::{Ratio, StreamKey};
use cenotaph_sim::executor::{Executor, Group, Policy, Schedule, StallOptions, TaskId};

pub(crate) const GROUP: Group = Group {
    machine: 0,
    incarnation: 1,
};

/// Every schedule, with changes where it has any.
pub(crate) const SCHEDULES: [Schedule; 5] = [
    Schedule::Random,
    Schedule::Walk,
    Schedule::Pct {
        changes_count: 3,
        polls_estimate: 100,
    },
    Schedule::RoundRobin,
    Schedule::Fifo,
];

pub(crate) fn pool(policy: Box<dyn Policy>) -> Executor {
    let never = StallOptions {
        ratio: Ratio::NEVER,
        nanos_max: 0,
        quantum_nanos: 1,
    };
    Executor::new(policy, StreamKey(0), never)
}

/// Adds a task that waits for ever; each wake polls it once.
pub(crate) fn waiting(pool: &Executor, name: u64) -> TaskId {
    pool.spawn(name, GROUP, poll_fn(|_| Poll::Pending))
}

/// Polls once, and gives the name of the task.
pub(crate) fn poll(pool: &Executor) -> Option<u64> {
    pool.poll_next(|_, _, _| ()).map(|polled| polled.name_hash)
}
