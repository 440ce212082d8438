//! Steps of turning a plan's faults into the simulator's: names become addresses.

use std::time::Duration;

use cenotaph_sim::disk::CrashKind as SimulatedCrash;
use cenotaph_sim::fault::{self, DiskAnchor, RequestAnchor, RequestKind};
use cenotaph_sim::host::Address;
use cenotaph_sim::network::{self, Barrier, Closed};
use cenotaph_sim::time::Instant;

use super::build::{CLIENT_FIRST, NODE};
use crate::plan::{
    Anchor, CrashKind, Fault, FaultKind, FileRole, IoKind, OperationRef, Packets, Way,
};

/// The signal that client operations give when they begin.
pub(super) fn signal_of(operation: OperationRef) -> u64 {
    (u64::from(operation.client) << 32) | u64::from(operation.index)
}

/// The address of a client.
pub(super) fn address_of(client: u16) -> Address {
    Address(CLIENT_FIRST + u32::from(client))
}

/// Whether the fault is one of the node's disk.
pub(super) fn is_of_disk(kind: &FaultKind) -> bool {
    match kind {
        FaultKind::DiskError | FaultKind::NoSpace | FaultKind::FailSync => true,
        FaultKind::Crash { .. }
        | FaultKind::Partition { .. }
        | FaultKind::Swizzle { .. }
        | FaultKind::Pause { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ClockDrift { .. }
        | FaultKind::DropPackets { .. }
        | FaultKind::EvictCache => false,
    }
}

/// What the file is for that fault number `index` strikes, where the plan says so: a disk fault meets the very
/// request at its anchor when it can, and no earlier one meets that; else whatever comes next.
pub(super) fn role_of(index: usize, faults: &[Fault]) -> Option<FileRole> {
    let meets = |fault: &Fault| match (&fault.at, &fault.kind) {
        (Anchor::Io { role, kind, .. }, harm) if fits(harm, *kind) => Some(*role),
        _ => None,
    };
    let fault = &faults[index];
    let is_taken = |earlier: &Fault| earlier.at == fault.at && meets(earlier).is_some();
    meets(fault).filter(|_| !faults[..index].iter().any(is_taken))
}

/// Whether a disk fault can meet every request of a kind.
fn fits(harm: &FaultKind, kind: IoKind) -> bool {
    match harm {
        FaultKind::DiskError => kind != IoKind::Len,
        FaultKind::NoSpace => matches!(kind, IoKind::Write | IoKind::Preallocate),
        FaultKind::FailSync => kind == IoKind::Sync,
        _ => false,
    }
}

/// The simulator's fault for one of the plan's, which has so many clients.
pub(super) fn simulated(fault: &Fault, clients_count: usize) -> fault::Fault {
    let millis = |millis: u32| Duration::from_millis(u64::from(millis));
    let machine = NODE;
    let kind = match &fault.kind {
        FaultKind::Crash {
            kind,
            restart_after_millis,
        } => fault::FaultKind::Crash {
            machine,
            how: crash_of(*kind),
            down: millis(*restart_after_millis),
        },
        FaultKind::DiskError => fault::FaultKind::DiskError { machine },
        FaultKind::NoSpace => fault::FaultKind::NoSpace { machine },
        FaultKind::FailSync => fault::FaultKind::FailSync { machine },
        FaultKind::EvictCache => fault::FaultKind::Evict { machine },
        FaultKind::Partition {
            client,
            duration_millis,
            way,
            packets,
        } => fault::FaultKind::Partition {
            barrier: barrier_of(*client, *way, *packets),
            duration: millis(*duration_millis),
        },
        FaultKind::Swizzle { duration_millis } => {
            let clients_count = u32::try_from(clients_count).expect("a handful of clients");
            let clients = (0..clients_count).map(|client| Address(CLIENT_FIRST + client));
            fault::FaultKind::Swizzle {
                among: [machine].into_iter().chain(clients).collect(),
                duration: millis(*duration_millis),
            }
        }
        FaultKind::Pause { duration_millis } => fault::FaultKind::Pause {
            machine,
            duration: millis(*duration_millis),
        },
        FaultKind::ClockJump { millis } => fault::FaultKind::ClockJump {
            machine,
            micros: i64::from(*millis) * 1_000,
        },
        FaultKind::ClockDrift {
            ppm,
            duration_millis,
        } => fault::FaultKind::ClockDrift {
            machine,
            ppm: i64::from(*ppm),
            duration: millis(*duration_millis),
        },
        FaultKind::DropPackets { count } => fault::FaultKind::DropPackets {
            count: u64::from(*count),
        },
    };
    fault::Fault {
        anchor: anchor_of(&fault.at),
        kind,
    }
}

fn barrier_of(client: u16, way: Way, packets: Packets) -> Barrier {
    let (client, node) = (vec![address_of(client)], vec![NODE]);
    let (left, right, way) = match way {
        Way::Both => (client, node, network::Way::Both),
        Way::ToNode => (client, node, network::Way::LeftToRight),
        Way::FromNode => (node, client, network::Way::LeftToRight),
    };
    let closed = match packets {
        Packets::Lost => Closed::LosesAll,
        Packets::SentLost => Closed::LosesSent,
        Packets::Held => Closed::Holds,
    };
    Barrier {
        left,
        right,
        way,
        closed,
    }
}

fn anchor_of(anchor: &Anchor) -> fault::Anchor {
    match anchor {
        Anchor::Time { millis } => {
            let instant = Instant::ZERO.after(Duration::from_millis(u64::from(*millis)));
            fault::Anchor::At(instant)
        }
        Anchor::Operation(operation) => fault::Anchor::Signal(signal_of(*operation)),
        Anchor::Io {
            machine,
            incarnation,
            role,
            kind,
            ordinal,
        } => {
            let named = RequestKind::ALL
                .into_iter()
                .find(|candidate| candidate.name() == kind.name());
            fault::Anchor::Disk(DiskAnchor {
                machine: format!("n{machine}"),
                incarnation: *incarnation,
                role: role.name().to_owned(),
                kind: named.expect("both name the same kinds of requests"),
                ordinal: u64::from(*ordinal),
            })
        }
        Anchor::Request {
            machine,
            incarnation,
            ordinal,
        } => fault::Anchor::Request(RequestAnchor {
            machine: format!("n{machine}"),
            incarnation: *incarnation,
            ordinal: u64::from(*ordinal),
        }),
    }
}

fn crash_of(kind: CrashKind) -> SimulatedCrash {
    match kind {
        CrashKind::Kill => SimulatedCrash::ProcessKill,
        CrashKind::Panic => SimulatedCrash::KernelPanic,
        CrashKind::Power => SimulatedCrash::PowerCut,
    }
}
