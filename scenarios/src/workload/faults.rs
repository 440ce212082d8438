//! Fault policy of scenarios: each says how many crashes, which other harm in its loud seeds, and where
//! both strike; each run has some of the kinds, with weights of its own. Each fault is made of bytes of its
//! own, so taking one away moves no other.

use super::places::Place;
use super::swarm::subset;
use crate::plan::{
    Anchor, CrashKind, Draw, FAULT_SIZE, FAULT_SLOTS, Fault, FaultKind, IoKind, Operation,
    OperationRef, Packets, Sections, Session, Way,
};

/// What the world does in a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    /// No fault but crashes.
    pub(super) quiet: bool,
    pub(super) crashes_count: usize,
    /// What crashes are anchored at.
    pub(super) aim: Aim,
    /// The latest time at which a fault strikes.
    pub(super) millis_max: u32,
    /// Disk requests at which crashes and errors strike.
    pub(super) places: &'static [Place],
    /// Writes for which there is no space.
    pub(super) writes: &'static [Place],
    /// Syncs that fail.
    pub(super) syncs: &'static [Place],
    /// The other harm, by weight.
    pub(super) harms: &'static [(u32, Harm)],
    /// The wall clock never goes back.
    pub(super) clock_ascends: bool,
}

/// What crashes are anchored at, besides places of all sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Nothing more often than anything else.
    Any,
    /// Disk requests, and nothing else.
    Places,
    /// Half of those at operations: the one after a compaction, when that is done and what was written before
    /// it may not be durable yet.
    Merges,
}

/// Harm that is no crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    DiskError,
    NoSpace,
    FailSync,
    Partition,
    Swizzle,
    Pause,
    ClockJump,
    ClockDrift,
    DropPackets,
    EvictCache,
}

/// Which kinds of fault a run has, by weight.
struct Mix {
    crashes: Vec<(u32, CrashKind)>,
    harms: Vec<(u32, Harm)>,
}

impl Mix {
    fn draw(policy: &Policy, bytes: &[u8]) -> Mix {
        let draw = &mut Draw::new(bytes);
        let all: Vec<(u32, CrashKind)> = CrashKind::ALL.iter().map(|kind| (1, *kind)).collect();
        let some = subset(draw, &all, 0);
        let is_any = some.iter().any(|(weight, _)| *weight > 0);
        Mix {
            crashes: if is_any { some } else { all },
            harms: subset(draw, policy.harms, 0),
        }
    }

    fn has_harm(&self) -> bool {
        self.harms.iter().any(|(weight, _)| *weight > 0)
    }
}

/// The faults of a plan whose sessions are these.
pub(super) fn draw(policy: &Policy, sections: &Sections<'_>, sessions: &[Session]) -> Vec<Fault> {
    let mix = Mix::draw(policy, &sections.swarm());
    let mut faults = Vec::new();
    let bytes = sections.faults();
    for (slot, own) in bytes.as_chunks::<FAULT_SIZE>().0.iter().enumerate() {
        let draw = &mut Draw::new(own);
        if slot < policy.crashes_count {
            let crash = crash(policy, &mix, draw, sessions);
            let again = crash_again(&mix, draw, &crash.at, slot);
            faults.push(crash);
            faults.extend(again);
        } else if slot >= FAULT_SLOTS / 2 && !policy.quiet && mix.has_harm() && draw.chance(1, 2) {
            let harm = harm(policy, &mix, draw, sessions);
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

/// What often follows a failed request, as only then it shows whether the node took the failure to heart.
/// After a sync: the kernel forgets what it could not write, and the machine goes down before the node
/// has synced that file much further. After a write: the machine goes down before the node has tried
/// again, or when others have since succeeded.
fn aftermath(draw: &mut Draw<'_>, harm: &Fault) -> Vec<Fault> {
    let kind = draw.pick(&[CrashKind::Power, CrashKind::Panic, CrashKind::Power]);
    let restart_after_millis = draw.within(1, 60);
    let later = draw.within(0, 255);
    let evicts = draw.weighted(&[
        (2, Evicts::AtOnce),
        (1, Evicts::AtNextStart),
        (1, Evicts::Never),
    ]);
    let (crashes, read) = (draw.chance(3, 4), draw.within(0, 3));
    let (evicts, later) = match harm.kind {
        FaultKind::FailSync => (evicts, 1 + later % 3),
        FaultKind::DiskError | FaultKind::NoSpace => (Evicts::Never, 1 + later % 24),
        _ => return Vec::new(),
    };
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
        Anchor::Operation(_) | Anchor::Request { .. } => return None,
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

fn crash(policy: &Policy, mix: &Mix, draw: &mut Draw<'_>, sessions: &[Session]) -> Fault {
    let kind = draw.weighted(&mix.crashes);
    let restart_after_millis = draw.within(1, 60);
    let at = match (policy.aim, draw.below(3)) {
        (Aim::Places, _) | (_, 2) => io(draw, policy.places),
        (_, 0) => time(policy, draw),
        (Aim::Merges, _) => after_merge(policy, draw, sessions),
        (Aim::Any, _) => operation(policy, draw, sessions),
    };
    Fault {
        at,
        kind: FaultKind::Crash {
            kind,
            restart_after_millis,
        },
    }
}

/// Now and then the next incarnation is crashed, too, mostly while it boots: what a recovery leaves behind
/// when it is cut off is what the next one has to start from. `slot` is how many crashes came before.
fn crash_again(mix: &Mix, draw: &mut Draw<'_>, at: &Anchor, slot: usize) -> Option<Fault> {
    let is_again = draw.chance(1, 3);
    let kind = draw.weighted(&mix.crashes);
    let any = draw.within(0, 255);
    let crashed = match at {
        Anchor::Io { incarnation, .. } | Anchor::Request { incarnation, .. } => *incarnation,
        Anchor::Time { .. } | Anchor::Operation(_) => {
            u32::try_from(slot + 1).expect("a handful of crashes")
        }
    };
    is_again.then_some(Fault {
        at: Anchor::Request {
            machine: 1,
            incarnation: crashed + 1,
            // Half of them are among the very first.
            ordinal: if any < 128 { any % 16 } else { any },
        },
        kind: FaultKind::Crash {
            kind,
            restart_after_millis: 1 + any % 16,
        },
    })
}

fn harm(policy: &Policy, mix: &Mix, draw: &mut Draw<'_>, sessions: &[Session]) -> Fault {
    let what = draw.weighted(&mix.harms);
    let amount = draw.within(0, 255);
    let by_io = draw.chance(3, 4);
    let at = |draw: &mut Draw<'_>, places: &[Place]| match by_io {
        true => io(draw, places),
        false => time(policy, draw),
    };
    let (at, kind) = match what {
        Harm::DiskError => (at(draw, policy.places), FaultKind::DiskError),
        Harm::NoSpace => (at(draw, policy.writes), FaultKind::NoSpace),
        Harm::FailSync => (at(draw, policy.syncs), FaultKind::FailSync),
        Harm::Partition => {
            let kind = partition(draw, amount, sessions.len());
            (time(policy, draw), kind)
        }
        Harm::Swizzle => {
            let duration_millis = 2 + 2 * amount;
            (time(policy, draw), FaultKind::Swizzle { duration_millis })
        }
        Harm::Pause => {
            let duration_millis = (1 + amount) * draw.pick(&[1, 1, 4]);
            (
                at(draw, policy.places),
                FaultKind::Pause { duration_millis },
            )
        }
        Harm::ClockJump => {
            let millis = (i32::try_from(amount).expect("below 256") - 128) * 50;
            let millis = match (millis, policy.clock_ascends) {
                (0, _) => 50,
                (_, true) => millis.abs(),
                (_, false) => millis,
            };
            (time(policy, draw), FaultKind::ClockJump { millis })
        }
        Harm::ClockDrift => {
            let kind = FaultKind::ClockDrift {
                ppm: draw.pick(&[1_000_000, -500_000, -900_000, 5_000_000, 100_000]),
                duration_millis: 8 * (1 + amount),
            };
            (time(policy, draw), kind)
        }
        Harm::DropPackets => {
            let count = u16::try_from(1 + amount % 8).expect("at most 8");
            (
                operation(policy, draw, sessions),
                FaultKind::DropPackets { count },
            )
        }
        Harm::EvictCache => (time(policy, draw), FaultKind::EvictCache),
    };
    Fault { at, kind }
}

fn partition(draw: &mut Draw<'_>, amount: u32, clients_count: usize) -> FaultKind {
    let client = amount as usize % clients_count;
    FaultKind::Partition {
        client: u16::try_from(client).expect("a handful of clients"),
        duration_millis: 1 + amount,
        way: draw.pick(Way::ALL),
        packets: draw.pick(Packets::ALL),
    }
}

fn time(policy: &Policy, draw: &mut Draw<'_>) -> Anchor {
    Anchor::Time {
        millis: draw.within(5, policy.millis_max),
    }
}

/// Any operation of any client; a time when that client has none.
fn operation(policy: &Policy, draw: &mut Draw<'_>, sessions: &[Session]) -> Anchor {
    let client = draw.below(sessions.len());
    if sessions[client].is_empty() {
        return time(policy, draw);
    }
    let index = draw.below(sessions[client].len());
    Anchor::Operation(OperationRef {
        client: u16::try_from(client).expect("a handful of clients"),
        index: u32::try_from(index).expect("some hundred operations"),
    })
}

/// In half of the cases an operation that follows a compaction, when there is one; else any.
fn after_merge(policy: &Policy, draw: &mut Draw<'_>, sessions: &[Session]) -> Anchor {
    let is_any = draw.chance(1, 2);
    let follows = |session: &Session| {
        let pairs = (1_u32..).zip(session.windows(2));
        let merges = pairs.filter(|(_, pair)| matches!(pair[0], Operation::Compact { .. }));
        merges.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let all: Vec<OperationRef> = (0_u16..)
        .zip(sessions)
        .flat_map(|(client, session)| {
            let named = move |index| OperationRef { client, index };
            follows(session).into_iter().map(named)
        })
        .collect();
    match is_any || all.is_empty() {
        true => operation(policy, draw, sessions),
        false => Anchor::Operation(draw.pick(&all)),
    }
}

fn io(draw: &mut Draw<'_>, places: &[Place]) -> Anchor {
    let (role, kind) = draw.pick(places);
    let incarnation = draw.weighted(&[(4, 1), (3, 2), (1, 3)]);
    // Half are among the first of their incarnation: one byte says which half, and where in it.
    let any = draw.within(0, 255);
    let ordinal = if any < 128 { any % 6 } else { any % 60 };
    Anchor::Io {
        machine: 1,
        incarnation,
        role,
        kind,
        ordinal,
    }
}
