//! Invariants of taking things out of a plan: what is left keeps its order, and whatever named an
//! operation or a client by number names the same one afterwards.

use crate::plan::{Anchor, Fault, FaultKind, Operation, OperationRef, Plan, Session};

/// The plan with only the operations that `keep` wants. An anchor at an operation that goes moves
/// on to the client's next one, or back to its last.
pub(super) fn keep_operations(
    plan: &Plan,
    keep: impl Fn(OperationRef, &Operation) -> bool,
) -> Plan {
    let mut next = plan.clone();
    // For each old index of each client: how many operations before it stay.
    let mut kept_before: Vec<Vec<u32>> = Vec::new();
    next.clients = (0_u16..)
        .zip(&plan.clients)
        .map(|(client, session)| {
            let mut before = Vec::with_capacity(session.len());
            let mut kept = Session::new();
            for (index, operation) in (0_u32..).zip(session) {
                before.push(u32::try_from(kept.len()).expect("no more than were there"));
                if keep(OperationRef { client, index }, operation) {
                    kept.push(operation.clone());
                }
            }
            kept_before.push(before);
            kept
        })
        .collect();
    // Of a client that has nothing left to do, no operation begins any more.
    let clients = &next.clients;
    next.faults.retain(|fault| match &fault.at {
        Anchor::Operation(at) => !clients[usize::from(at.client)].is_empty(),
        _ => true,
    });
    for fault in &mut next.faults {
        let Anchor::Operation(at) = &mut fault.at else {
            continue;
        };
        let client = usize::from(at.client);
        let last = next.clients[client].len() - 1;
        let last = u32::try_from(last).expect("no more than were there");
        if let Some(before) = kept_before[client].get(at.index as usize) {
            at.index = (*before).min(last);
        }
    }
    next
}

/// The plan without one client; faults that name it go with it. None for the only client.
pub(super) fn without_client(plan: &Plan, gone: usize) -> Option<Plan> {
    if plan.clients.len() < 2 {
        return None;
    }
    let mut next = plan.clone();
    next.clients.remove(gone);
    next.faults = plan
        .faults
        .iter()
        .filter_map(|fault| renamed(fault, gone))
        .collect();
    Some(next)
}

fn renamed(fault: &Fault, gone: usize) -> Option<Fault> {
    let shifted = |client: u16| match usize::from(client).cmp(&gone) {
        std::cmp::Ordering::Less => Some(client),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(client - 1),
    };
    let mut fault = fault.clone();
    if let Anchor::Operation(at) = &mut fault.at {
        at.client = shifted(at.client)?;
    }
    if let FaultKind::Partition { client, .. } = &mut fault.kind {
        *client = shifted(*client)?;
    }
    Some(fault)
}

/// The plan with the session of one client put behind that of another, which is before it; what
/// named the one names the other.
pub(super) fn merged_clients(plan: &Plan, gone: usize, into: usize) -> Plan {
    assert!(
        into < gone,
        "client {gone} goes into an earlier one, not {into}"
    );
    let mut next = plan.clone();
    let session = next.clients.remove(gone);
    let shift = u32::try_from(next.clients[into].len()).expect("sessions are bounded");
    next.clients[into].extend(session);
    let into = u16::try_from(into).expect("a plan has a handful of clients");
    let renamed = |client: u16| match usize::from(client).cmp(&gone) {
        std::cmp::Ordering::Less => client,
        std::cmp::Ordering::Equal => into,
        std::cmp::Ordering::Greater => client - 1,
    };
    for fault in &mut next.faults {
        if let Anchor::Operation(at) = &mut fault.at {
            if usize::from(at.client) == gone {
                at.index += shift;
            }
            at.client = renamed(at.client);
        }
        if let FaultKind::Partition { client, .. } = &mut fault.kind {
            *client = renamed(*client);
        }
    }
    next
}

/// The plan with the faults at one operation at a virtual time instead; none when there are none.
pub(super) fn with_time(plan: &Plan, operation: OperationRef, millis: u32) -> Option<Plan> {
    let mut next = plan.clone();
    for fault in &mut next.faults {
        if fault.at == Anchor::Operation(operation) {
            fault.at = Anchor::Time { millis };
        }
    }
    (next.faults != plan.faults).then_some(next)
}

/// The plan without the faults of a range of indices.
pub(super) fn without_faults(plan: &Plan, gone: std::ops::Range<usize>) -> Plan {
    let mut next = plan.clone();
    next.faults.drain(gone);
    next
}

/// The plan without one fault, and, when that was a crash, with disk anchors of later incarnations
/// one incarnation earlier.
pub(super) fn without_crash(plan: &Plan, gone: usize) -> Option<Plan> {
    if !matches!(plan.faults[gone].kind, FaultKind::Crash { .. }) {
        return None;
    }
    let mut next = without_faults(plan, gone..gone + 1);
    for fault in &mut next.faults {
        if let Anchor::Io { incarnation, .. } | Anchor::Request { incarnation, .. } = &mut fault.at
        {
            *incarnation = incarnation.saturating_sub(1).max(1);
        }
    }
    (next.faults != without_faults(plan, gone..gone + 1).faults).then_some(next)
}

/// The plan with one fault's disk anchor `step` operations earlier.
pub(super) fn with_earlier_ordinal(plan: &Plan, fault: usize, step: u32) -> Option<Plan> {
    let mut next = plan.clone();
    let at = &mut next.faults.get_mut(fault)?.at;
    let (Anchor::Io { ordinal, .. } | Anchor::Request { ordinal, .. }) = at else {
        return None;
    };
    *ordinal = ordinal.checked_sub(step).filter(|ordinal| *ordinal > 0)?;
    Some(next)
}

/// The names of all operations, client by client.
pub(super) fn names(plan: &Plan) -> Vec<OperationRef> {
    let mut names = Vec::new();
    for (client, session) in (0_u16..).zip(&plan.clients) {
        names.extend(
            (0_u32..)
                .zip(session)
                .map(|(index, _)| OperationRef { client, index }),
        );
    }
    names
}
