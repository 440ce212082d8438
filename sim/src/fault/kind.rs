//! Vocabulary of faults: what strikes, and on whom.

use std::time::Duration;

use super::anchor::Anchor;
use crate::disk::CrashKind;
use crate::network::{Address, Barrier, Closed, Way};

/// One fault of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When it strikes.
    pub anchor: Anchor,
    /// What strikes.
    pub kind: FaultKind,
}

/// How machines are taken away for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// The machine goes down and comes back after a while.
    Crash {
        /// How it goes down.
        how: CrashKind,
        /// How long it stays down.
        down: Duration,
    },
    /// Nothing of the machine runs for a while: its timers are late and its packets queue, while the rest of
    /// the world goes on and what it asked of its disk is done.
    Pause {
        /// For how long.
        duration: Duration,
    },
    /// The machine loses its power, and comes back after a while with an empty disk.
    Wipe {
        /// How long it stays down.
        down: Duration,
    },
}

/// What strikes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The machine goes down and comes back after a while.
    Crash {
        /// The machine.
        machine: Address,
        /// How it goes down.
        how: CrashKind,
        /// How long it stays down.
        down: Duration,
    },
    /// Nothing of the machine runs for a while; see [`Outage::Pause`].
    Pause {
        /// The machine.
        machine: Address,
        /// For how long.
        duration: Duration,
    },
    /// The machine comes back with an empty disk; see [`Outage::Wipe`].
    Wipe {
        /// The machine.
        machine: Address,
        /// How long it stays down.
        down: Duration,
    },
    /// Something befalls all machines of a zone at once. It strikes when one of them at least is up.
    Zone {
        /// The machines.
        machines: Vec<Address>,
        /// What befalls them.
        outage: Outage,
    },
    /// One request fails with an I/O error: the anchored one, else the next. A write leaves nothing, its first
    /// sectors or all of it in the cache; any other request does nothing.
    DiskError {
        /// The machine.
        machine: Address,
    },
    /// One write or creation is told that the disk is full: the anchored one, else the next.
    NoSpace {
        /// The machine.
        machine: Address,
    },
    /// One sync fails, and what it was to make durable is lost: the anchored one, else the next.
    FailSync {
        /// The machine.
        machine: Address,
    },
    /// The kernel evicts its cache: what a failed sync left there shows its old content.
    Evict {
        /// The machine.
        machine: Address,
    },
    /// Nothing passes between two groups of machines, in both directions or in one.
    Partition {
        /// Between whom, in which direction, and what happens to packets meanwhile.
        barrier: Barrier,
        /// For how long.
        duration: Duration,
    },
    /// All links of some of these machines are clogged, one machine after the other in the first half of
    /// the time, and unclogged in another order in the second. A clogged link holds its packets.
    Swizzle {
        /// The machines to choose from, at least one.
        among: Vec<Address>,
        /// From the first clog to the last unclog.
        duration: Duration,
    },
    /// The next packets are lost, whoever sends them.
    DropPackets {
        /// How many.
        count: u64,
    },
    /// The machine's wall clock jumps.
    ClockJump {
        /// The machine.
        machine: Address,
        /// By how many microseconds; negative is back.
        micros: i64,
    },
    /// The machine's wall clock gains more than it was made to, or less, for a while; what it has gained
    /// stays gained. At -1,000,000 a true clock stands still.
    ClockDrift {
        /// The machine.
        machine: Address,
        /// How much, in millionths; negative when it loses.
        ppm: i64,
        /// For how long.
        duration: Duration,
    },
}

impl FaultKind {
    /// The machines that it names.
    #[must_use]
    pub fn machines(&self) -> Vec<Address> {
        match self {
            FaultKind::Crash { machine, .. }
            | FaultKind::Pause { machine, .. }
            | FaultKind::Wipe { machine, .. }
            | FaultKind::DiskError { machine }
            | FaultKind::NoSpace { machine }
            | FaultKind::FailSync { machine }
            | FaultKind::Evict { machine }
            | FaultKind::ClockJump { machine, .. }
            | FaultKind::ClockDrift { machine, .. } => vec![*machine],
            FaultKind::Zone { machines, .. } => machines.clone(),
            FaultKind::Partition { barrier, .. } => [&barrier.left[..], &barrier.right].concat(),
            FaultKind::Swizzle { among, .. } => among.clone(),
            FaultKind::DropPackets { .. } => Vec::new(),
        }
    }

    /// The mark that says this kind struck.
    #[must_use]
    pub const fn mark(&self) -> &'static str {
        match self {
            FaultKind::Crash {
                how: CrashKind::ProcessKill,
                ..
            } => "fault.crash.kill",
            FaultKind::Crash {
                how: CrashKind::KernelPanic,
                ..
            } => "fault.crash.panic",
            FaultKind::Crash {
                how: CrashKind::PowerCut,
                ..
            } => "fault.crash.power",
            FaultKind::Pause { .. } => "fault.pause",
            FaultKind::Wipe { .. } => "fault.wipe",
            FaultKind::Zone { outage, .. } => match outage {
                Outage::Crash { .. } => "fault.zone.crash",
                Outage::Pause { .. } => "fault.zone.pause",
                Outage::Wipe { .. } => "fault.zone.wipe",
            },
            FaultKind::DiskError { .. } => "fault.disk.error",
            FaultKind::NoSpace { .. } => "fault.disk.no-space",
            FaultKind::FailSync { .. } => "fault.disk.fail-sync",
            FaultKind::Evict { .. } => "fault.disk.evict",
            FaultKind::Partition { barrier, .. } => match (barrier.closed, barrier.way) {
                (Closed::LosesAll, Way::Both) => "fault.network.partition",
                (Closed::LosesAll, Way::LeftToRight) => "fault.network.partition.one-way",
                (Closed::LosesSent, Way::Both) => "fault.network.partition.sent",
                (Closed::LosesSent, Way::LeftToRight) => "fault.network.partition.sent.one-way",
                (Closed::Holds, Way::Both) => "fault.network.clog",
                (Closed::Holds, Way::LeftToRight) => "fault.network.clog.one-way",
            },
            FaultKind::Swizzle { .. } => "fault.network.swizzle",
            FaultKind::DropPackets { .. } => "fault.network.drop",
            FaultKind::ClockJump { .. } => "fault.clock.jump",
            FaultKind::ClockDrift { .. } => "fault.clock.drift",
        }
    }
}
