//! Vocabulary of workloads: the same for every peer, in messages of one size or timers.

use std::fmt;

/// Bytes of a message; each is copied to be sent, as an encoder would.
pub const PAYLOAD_SIZE: usize = 64;

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Pairs of machines that send one message to and fro.
    PingPong {
        /// How many machines, an even number.
        machines_count: u32,
    },
    /// Machines that each send to all others, again when they heard as many.
    Broadcast {
        /// How many machines.
        machines_count: u32,
    },
    /// Tasks of one machine that sleep 100 µs to 10.1 ms, again and again.
    Timers {
        /// How many tasks.
        tasks_count: u32,
    },
}

impl Workload {
    /// All, in the order of the table.
    pub const ALL: [Workload; 6] = [
        Workload::PingPong { machines_count: 2 },
        Workload::PingPong {
            machines_count: 100,
        },
        Workload::Broadcast { machines_count: 5 },
        Workload::Broadcast { machines_count: 50 },
        Workload::Timers { tasks_count: 1_000 },
        Workload::Timers {
            tasks_count: 100_000,
        },
    ];

    /// How many messages or timers a peer of this speed carries in about half a second, and at least
    /// what makes the start of the run a small part of it.
    #[must_use]
    pub fn count(self, per_second: u64) -> u64 {
        let least = match self {
            Workload::PingPong { machines_count } => 500 * u64::from(machines_count),
            Workload::Broadcast { machines_count } => 50 * u64::from(machines_count).pow(2),
            Workload::Timers { tasks_count } => 5 * u64::from(tasks_count),
        };
        least.max(per_second / 2)
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Workload::PingPong { machines_count } => write!(f, "ping-pong {machines_count}"),
            Workload::Broadcast { machines_count } => write!(f, "broadcast {machines_count}"),
            Workload::Timers { tasks_count } => write!(f, "timers {tasks_count}"),
        }
    }
}
