//! Vocabulary of faults: what strikes, and on whom.

use std::time::Duration;

use super::anchor::Anchor;
use crate::disk::CrashKind;
use crate::network::Address;

/// One fault of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When it strikes.
    pub anchor: Anchor,
    /// What strikes.
    pub kind: FaultKind,
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
    /// Nothing passes between two machines, in either direction.
    Partition {
        /// One side.
        left: Address,
        /// The other side.
        right: Address,
        /// For how long.
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
}

impl FaultKind {
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
            FaultKind::DiskError { .. } => "fault.disk.error",
            FaultKind::NoSpace { .. } => "fault.disk.no-space",
            FaultKind::FailSync { .. } => "fault.disk.fail-sync",
            FaultKind::Evict { .. } => "fault.disk.evict",
            FaultKind::Partition { .. } => "fault.network.partition",
            FaultKind::DropPackets { .. } => "fault.network.drop",
            FaultKind::ClockJump { .. } => "fault.clock.jump",
        }
    }
}
