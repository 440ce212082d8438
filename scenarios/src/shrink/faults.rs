//! Steps to plainer faults: weaker crashes, short delays, anchors early and at round numbers.

use super::edit;
use super::halving::List;
use crate::plan::{Anchor, CrashKind, Fault, FaultKind, Packets, Plan, Way};

/// All faults, as a list to leave out of.
pub(super) const LIST: List = List {
    count: |plan| plan.faults.len(),
    without: |plan, range| Some(edit::without_faults(plan, range)),
    otherwise: |plan, _, range| match range.len() {
        1 => edit::without_crash(plan, range.start).into_iter().collect(),
        _ => Vec::new(),
    },
};

/// The plan without the faults that never struck.
pub(super) fn without_waiting(plan: &Plan, waiting: &[Fault]) -> Plan {
    let mut waiting = waiting.to_vec();
    let mut next = plan.clone();
    next.faults.retain(|fault| {
        let place = waiting.iter().position(|idle| idle == fault);
        place.map(|place| waiting.swap_remove(place)).is_none()
    });
    next
}

/// Plans with one fault plainer.
pub(super) fn plainer(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    Box::new(
        plan.faults
            .iter()
            .enumerate()
            .flat_map(move |(index, fault)| {
                let kinds = kinds(&fault.kind).into_iter().map(|kind| Fault {
                    kind,
                    ..fault.clone()
                });
                let anchors = anchors(&fault.at).into_iter().map(|at| Fault {
                    at,
                    ..fault.clone()
                });
                kinds.chain(anchors).map(move |way| {
                    let mut next = plan.clone();
                    next.faults[index] = way;
                    Some(next)
                })
            }),
    )
}

fn kinds(kind: &FaultKind) -> Vec<FaultKind> {
    match kind {
        FaultKind::Crash {
            kind,
            restart_after_millis,
        } => {
            // In the order of what they leave: a process kill is the plainest.
            let weaker = CrashKind::ALL.iter().take_while(|weaker| *weaker != kind);
            let weaker = weaker.map(|weaker| (*weaker, *restart_after_millis));
            let shorter = smaller(*restart_after_millis, 1);
            let shorter = shorter.into_iter().map(|millis| (*kind, millis));
            weaker
                .chain(shorter)
                .map(|(kind, restart_after_millis)| FaultKind::Crash {
                    kind,
                    restart_after_millis,
                })
                .collect()
        }
        FaultKind::Partition {
            client,
            duration_millis,
            way,
            packets,
        } => plainer_partitions(*client, *duration_millis, *way, *packets),
        FaultKind::Swizzle { duration_millis } => smaller(*duration_millis, 1)
            .into_iter()
            .map(|duration_millis| FaultKind::Swizzle { duration_millis })
            .collect(),
        FaultKind::Pause { duration_millis } => smaller(*duration_millis, 1)
            .into_iter()
            .map(|duration_millis| FaultKind::Pause { duration_millis })
            .collect(),
        FaultKind::ClockDrift {
            ppm,
            duration_millis,
        } => {
            let shorter = smaller(*duration_millis, 1).into_iter();
            let shorter = shorter.map(|duration_millis| (*ppm, duration_millis));
            let slower = smaller(ppm.unsigned_abs(), 1).into_iter();
            let slower = slower.filter_map(|size| i32::try_from(size).ok());
            let slower = slower.map(|size| (size * ppm.signum(), *duration_millis));
            shorter
                .chain(slower)
                .map(|(ppm, duration_millis)| FaultKind::ClockDrift {
                    ppm,
                    duration_millis,
                })
                .collect()
        }
        FaultKind::ClockJump { millis } => smaller(millis.unsigned_abs(), 1)
            .into_iter()
            .filter_map(|size| i32::try_from(size).ok())
            .map(|size| FaultKind::ClockJump {
                millis: size * millis.signum(),
            })
            .collect(),
        FaultKind::DropPackets { count } => smaller(u32::from(*count), 1)
            .into_iter()
            .filter_map(|count| u16::try_from(count).ok())
            .map(|count| FaultKind::DropPackets { count })
            .collect(),
        FaultKind::DiskError | FaultKind::NoSpace | FaultKind::FailSync | FaultKind::EvictCache => {
            Vec::new()
        }
    }
}

/// Both ways are plainer than one, what is lost than what waits.
fn plainer_partitions(
    client: u16,
    duration_millis: u32,
    way: Way,
    packets: Packets,
) -> Vec<FaultKind> {
    let ways = (way != Way::Both).then_some((duration_millis, Way::Both, packets));
    let lost = (packets != Packets::Lost).then_some((duration_millis, way, Packets::Lost));
    let shorter = smaller(duration_millis, 1).into_iter();
    let shorter = shorter.map(|shorter| (shorter, way, packets));
    let plainer = ways.into_iter().chain(lost).chain(shorter);
    plainer
        .map(|(duration_millis, way, packets)| FaultKind::Partition {
            client,
            duration_millis,
            way,
            packets,
        })
        .collect()
}

fn anchors(anchor: &Anchor) -> Vec<Anchor> {
    match anchor {
        Anchor::Time { millis } => smaller(*millis, 0)
            .into_iter()
            .map(|millis| Anchor::Time { millis })
            .collect(),
        Anchor::Operation(_) => Vec::new(),
        Anchor::Io {
            machine,
            incarnation,
            role,
            kind,
            ordinal,
        } => {
            let at = |incarnation, ordinal| Anchor::Io {
                machine: *machine,
                incarnation,
                role: *role,
                kind: *kind,
                ordinal,
            };
            let earlier = smaller(*incarnation, 1)
                .into_iter()
                .map(|earlier| at(earlier, *ordinal));
            let nearer = smaller(*ordinal, 1)
                .into_iter()
                .map(|nearer| at(*incarnation, nearer));
            earlier.chain(nearer).collect()
        }
        Anchor::Request {
            machine,
            incarnation,
            ordinal,
        } => {
            let at = |incarnation, ordinal| Anchor::Request {
                machine: *machine,
                incarnation,
                ordinal,
            };
            let earlier = smaller(*incarnation, 1).into_iter();
            let earlier = earlier.map(|earlier| at(earlier, *ordinal));
            let nearer = smaller(*ordinal, 0).into_iter();
            let nearer = nearer.map(|nearer| at(*incarnation, nearer));
            earlier.chain(nearer).collect()
        }
    }
}

/// Smaller numbers, the smallest first: the least, then ever smaller steps down from `number`.
pub(super) fn smaller(number: u32, least: u32) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut step = number.saturating_sub(least);
    while step > 0 {
        numbers.push(number - step);
        step /= 2;
    }
    numbers
}
