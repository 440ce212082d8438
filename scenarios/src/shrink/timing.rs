//! Steps of keeping time while operations go: what came of the plan says when each began; a pause
//! takes the place of those that only took time, a time that of one that only said when.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::edit::{self, keep_operations};
use crate::history::Event;
use crate::plan::{Operation, OperationRef, Plan};
use crate::run::Outcome;

/// When operations began, in nanoseconds of virtual time.
fn begins(outcome: &Outcome) -> BTreeMap<OperationRef, u64> {
    let events = outcome.history.events().iter();
    let begins = events.filter_map(|event| match event {
        Event::Invoked { at, operation, .. } => Some((*operation, at.as_nanos())),
        _ => None,
    });
    begins.collect()
}

/// The plan with one pause a client for a range of operations, as long as they took; none when
/// nobody would notice, since each is a pause already, or the last of its client, or never began.
pub(super) fn paused(plan: &Plan, outcome: &Outcome, range: Range<usize>) -> Option<Plan> {
    let begins = begins(outcome);
    let names = edit::names(plan);
    let mut next = plan.clone();
    let mut gone: BTreeSet<OperationRef> = names[range].iter().copied().collect();
    for client in gone
        .iter()
        .map(|name| name.client)
        .collect::<BTreeSet<u16>>()
    {
        let own = gone.iter().filter(|name| name.client == client);
        let (first, last) = (*own.clone().min()?, *own.max()?);
        let after = OperationRef {
            client,
            index: last.index + 1,
        };
        let (Some(begin), Some(end)) = (begins.get(&first), begins.get(&after)) else {
            continue;
        };
        let place = &mut next.clients[usize::from(client)][first.index as usize];
        if first == last && matches!(place, Operation::Pause { .. }) {
            continue;
        }
        let millis = end.saturating_sub(*begin).saturating_add(500_000) / 1_000_000;
        *place = Operation::Pause {
            millis: u32::try_from(millis).ok()?,
        };
        gone.remove(&first);
    }
    let next = keep_operations(&next, |name, _| !gone.contains(&name));
    (next != *plan).then_some(next)
}

/// Plans with one pause for two in a row.
pub(super) fn merged_pauses(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    let names = edit::names(plan).into_iter();
    Box::new(names.flat_map(move |name| {
        let session = &plan.clients[usize::from(name.client)];
        let at = name.index as usize;
        let sum = match session.get(at..at + 2) {
            Some(
                &[
                    Operation::Pause { millis },
                    Operation::Pause { millis: more },
                ],
            ) => Some(millis.saturating_add(more)),
            _ => None,
        };
        // Between the two some time passes, too.
        let sums = sum.into_iter().flat_map(|sum| [sum, sum.saturating_add(1)]);
        sums.map(move |millis| {
            let mut next = plan.clone();
            next.clients[usize::from(name.client)][at + 1] = Operation::Pause { millis };
            Some(keep_operations(&next, |other, _| other != name))
        })
    }))
}

/// Plans without an operation, whose faults strike at the time at which it began.
pub(super) fn timed(plan: &Plan, outcome: &Outcome, gone: OperationRef) -> Vec<Plan> {
    let Some(nanos) = begins(outcome).get(&gone).copied() else {
        return Vec::new();
    };
    let millis = u32::try_from(nanos / 1_000_000).unwrap_or(u32::MAX - 1);
    let timed = [millis, millis + 1].map(|millis| edit::with_time(plan, gone, millis));
    let timed = timed.iter().flatten();
    timed
        .map(|plan| keep_operations(plan, |name, _| name != gone))
        .collect()
}
