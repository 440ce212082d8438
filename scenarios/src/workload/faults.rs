//! Fault policy of scenarios: crashes always; anything else in half of the seeds. Each fault is
//! made of bytes of its own, so taking one away moves no other.

use super::swarm::Swarm;
use crate::plan::{
    Anchor, CrashKind, Draw, FAULT_SIZE, FAULT_SLOTS, Fault, FaultKind, FileRole, IoKind,
    OperationRef, Session,
};

/// The faults of a plan whose sessions are these.
pub(super) fn draw(swarm: &Swarm, bytes: &[u8], sessions: &[Session]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (slot, own) in bytes.as_chunks::<FAULT_SIZE>().0.iter().enumerate() {
        let draw = &mut Draw::new(own);
        if slot < swarm.crashes_count {
            faults.push(crash(draw, sessions));
        } else if slot >= FAULT_SLOTS / 2 && !swarm.quiet && draw.chance(1, 2) {
            let harm = harm(draw, sessions);
            let aftermath = aftermath(draw, &harm);
            faults.push(harm);
            faults.extend(aftermath);
        }
    }
    faults
}

/// When the kernel forgets what a failed sync could not write.
#[derive(Clone, Copy)]
enum Evicts {
    AtOnce,
    /// While the next incarnation reads: a file may then be read twice, and be two different things.
    AtNextStart,
    Never,
}

/// What often follows a failed sync: the kernel forgets what it could not write, and the machine goes
/// down before the node has synced that file much further. Only then does it show whether the node
/// took the failure to heart.
fn aftermath(draw: &mut Draw<'_>, harm: &Fault) -> Vec<Fault> {
    let kind = draw.pick(&[CrashKind::Power, CrashKind::Panic, CrashKind::Power]);
    let (restart_after_millis, later) = (draw.within(1, 60), draw.within(1, 3));
    let evicts = draw.weighted(&[
        (2, Evicts::AtOnce),
        (1, Evicts::AtNextStart),
        (1, Evicts::Never),
    ]);
    let (crashes, read) = (draw.chance(3, 4), draw.within(0, 3));
    if harm.kind != FaultKind::FailSync {
        return Vec::new();
    }
    let eviction = match evicts {
        Evicts::AtOnce => after(&harm.at, 0),
        Evicts::AtNextStart => at_next_start(&harm.at, read),
        Evicts::Never => None,
    };
    let eviction = eviction.map(|at| Fault {
        at,
        kind: FaultKind::EvictCache,
    });
    let crash = after(&harm.at, later).filter(|_| crashes);
    let kind = FaultKind::Crash {
        kind,
        restart_after_millis,
    };
    eviction
        .into_iter()
        .chain(crash.map(|at| Fault { at, kind }))
        .collect()
}

/// A little later than `at`: so many requests of its kind, or some milliseconds.
fn after(at: &Anchor, later: u32) -> Option<Anchor> {
    let mut at = at.clone();
    match &mut at {
        Anchor::Io { ordinal, .. } => *ordinal += later,
        Anchor::Time { millis } => *millis += 4 * later,
        Anchor::Operation(_) => return None,
    }
    Some(at)
}

/// A read of the same role's files, early in the next incarnation.
fn at_next_start(at: &Anchor, read: u32) -> Option<Anchor> {
    let mut at = at.clone();
    let Anchor::Io {
        incarnation,
        kind,
        ordinal,
        ..
    } = &mut at
    else {
        return None;
    };
    (*incarnation, *kind, *ordinal) = (*incarnation + 1, IoKind::Read, read);
    Some(at)
}

fn crash(draw: &mut Draw<'_>, sessions: &[Session]) -> Fault {
    let kind = draw.pick(CrashKind::ALL);
    let restart_after_millis = draw.within(1, 60);
    let at = match draw.below(3) {
        0 => time(draw),
        1 => operation(draw, sessions),
        _ => io(draw, &PLACES),
    };
    Fault {
        at,
        kind: FaultKind::Crash {
            kind,
            restart_after_millis,
        },
    }
}

fn harm(draw: &mut Draw<'_>, sessions: &[Session]) -> Fault {
    let what = draw.below(10);
    let amount = draw.within(0, 255);
    let by_io = draw.chance(3, 4);
    let at = |draw: &mut Draw<'_>, places: &[Place]| match by_io {
        true => io(draw, places),
        false => time(draw),
    };
    let client = u16::try_from(amount as usize % sessions.len()).expect("a handful of clients");
    match what {
        0 => Fault {
            at: at(draw, &PLACES),
            kind: FaultKind::DiskError,
        },
        1 => Fault {
            at: at(draw, &WRITES),
            kind: FaultKind::NoSpace,
        },
        2 | 3 | 8 | 9 => Fault {
            at: at(draw, &SYNCS),
            kind: FaultKind::FailSync,
        },
        4 => {
            let duration_millis = 1 + amount;
            Fault {
                at: time(draw),
                kind: FaultKind::Partition {
                    client,
                    duration_millis,
                },
            }
        }
        5 => {
            let millis = (i32::try_from(amount).expect("below 256") - 128) * 50;
            Fault {
                at: time(draw),
                kind: FaultKind::ClockJump { millis },
            }
        }
        6 => {
            let count = u16::try_from(1 + amount % 8).expect("at most 8");
            Fault {
                at: operation(draw, sessions),
                kind: FaultKind::DropPackets { count },
            }
        }
        _ => Fault {
            at: time(draw),
            kind: FaultKind::EvictCache,
        },
    }
}

fn time(draw: &mut Draw<'_>) -> Anchor {
    Anchor::Time {
        millis: draw.within(5, 400),
    }
}

fn operation(draw: &mut Draw<'_>, sessions: &[Session]) -> Anchor {
    let client = draw.below(sessions.len());
    let index = draw.below(sessions[client].len().max(1));
    Anchor::Operation(OperationRef {
        client: u16::try_from(client).expect("a handful of clients"),
        index: u32::try_from(index).expect("some hundred operations"),
    })
}

type Place = (FileRole, IoKind);

/// What a boot and a serving node ask of the disk.
const PLACES: [Place; 20] = [
    (FileRole::Commitlog, IoKind::Write),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Metadata, IoKind::Write),
    (FileRole::Metadata, IoKind::Sync),
    (FileRole::Data, IoKind::Write),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Open),
    (FileRole::Commitlog, IoKind::Read),
    (FileRole::Commitlog, IoKind::Remove),
    (FileRole::Commitlog, IoKind::SyncDir),
    (FileRole::Commitlog, IoKind::List),
    (FileRole::Data, IoKind::Open),
    (FileRole::Data, IoKind::Read),
    (FileRole::Data, IoKind::SyncDir),
    (FileRole::Metadata, IoKind::Open),
    (FileRole::Metadata, IoKind::Read),
    (FileRole::Manifest, IoKind::Open),
    (FileRole::Manifest, IoKind::Read),
];

const WRITES: [Place; 4] = [
    (FileRole::Commitlog, IoKind::Write),
    (FileRole::Data, IoKind::Write),
    (FileRole::Manifest, IoKind::Write),
    (FileRole::Metadata, IoKind::Write),
];

const SYNCS: [Place; 6] = [
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Commitlog, IoKind::Sync),
    (FileRole::Data, IoKind::Sync),
    (FileRole::Manifest, IoKind::Sync),
    (FileRole::Metadata, IoKind::Sync),
];

fn io(draw: &mut Draw<'_>, places: &[Place]) -> Anchor {
    let (role, kind) = draw.pick(places);
    let incarnation = draw.weighted(&[(4, 1), (3, 2), (1, 3)]);
    let far = draw.chance(1, 2);
    let ordinal = draw.within(0, 255) % if far { 60 } else { 6 };
    Anchor::Io {
        machine: 1,
        incarnation,
        role,
        kind,
        ordinal,
    }
}
