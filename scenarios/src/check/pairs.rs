//! Invariants of pairs: two reads of the same rows, forward or back, of one incarnation and at one
//! second of its clock, show the same when nothing between the begin of one and the end of the other
//! may have changed what they read. Each alone may be right where the model allows more than one
//! answer, and the two together still be wrong; one that is wrong alone is not told again.

use std::collections::BTreeMap;
use std::time::Duration;

use cenotaph_sim::time::Instant;

use super::evidence::Case;
use super::violation::{Identity, Invariant, Judge, Role, Violation};
use crate::history::{Answer, Incarnation, Outcome, PartitionSeen, Record, RowSeen};
use crate::plan::{Operation, Slice, TableNumber};

/// What is read: a slice of a partition.
type Place<'a> = (TableNumber, i32, &'a Slice);

pub(super) fn judge(case: &Case<'_>) -> Vec<Violation> {
    // What a compaction forgets may cease to hide at any time, when nobody asks for it.
    if case.compacts_itself {
        return Vec::new();
    }
    let is_wrong = |record: &Record<'_>| {
        let mut objections = case.objections.iter();
        objections.any(|objection| objection.operation == record.name)
    };
    let mut last: BTreeMap<Place<'_>, (&Record<'_>, &PartitionSeen)> = BTreeMap::new();
    let mut violations = Vec::new();
    for record in &case.timeline.records {
        let Some((place, seen)) = read(record) else {
            continue;
        };
        let Some((before, seen_before)) = last.insert(place, (record, seen)) else {
            continue;
        };
        let is_comparable = before.incarnation == record.incarnation
            && before.now_seconds.is_some()
            && before.now_seconds == record.now_seconds;
        let Some(role) = difference(seen_before, seen).filter(|_| is_comparable) else {
            continue;
        };
        if is_wrong(before) || is_wrong(record) || !is_calm(case, [before, record]) {
            continue;
        }
        let (now, then) = (record.what, before.what);
        violations.push(Violation {
            identity: Identity {
                judge: Judge::Answers,
                invariant: Invariant::ReadsAgree,
                role,
            },
            operation: Some(record.name),
            detail: format!(
                "{} `{now}` shows {seen}, {} `{then}` showed {seen_before}, and nothing changed in \
                 between",
                record.name, before.name
            ),
        });
    }
    violations
}

/// What a read of whole rows showed, and of what.
fn read<'a>(record: &Record<'a>) -> Option<(Place<'a>, &'a PartitionSeen)> {
    match (record.what, record.outcome) {
        (
            Operation::Read {
                table,
                partition,
                slice,
                limit: None,
                ..
            },
            Some(Outcome::Ok(Answer::Rows(seen))),
        ) => Some(((*table, *partition, slice), seen)),
        _ => None,
    }
}

/// What differs, when something does; the order of rows is another judge's matter.
fn difference(one: &PartitionSeen, other: &PartitionSeen) -> Option<Role> {
    if sorted(one) != sorted(other) {
        return Some(Role::Row);
    }
    (one.statics != other.statics).then_some(Role::Static)
}

fn sorted(seen: &PartitionSeen) -> Vec<&RowSeen> {
    let mut rows: Vec<&RowSeen> = seen.rows.iter().collect();
    rows.sort_by(|one, other| one.clustering.cmp(&other.clustering));
    rows
}

/// Whether nothing from the begin of two reads to their end may have changed what they read.
fn is_calm(case: &Case<'_>, reads: [&Record<'_>; 2]) -> bool {
    let from = reads.map(|read| read.invoked_at).into_iter().min();
    let to = reads.map(|read| read.answered_at).into_iter().max();
    let (Some(from), Some(Some(to))) = (from, to) else {
        return false;
    };
    let node = case
        .timeline
        .incarnations
        .iter()
        .find(|node| Some(node.number) == reads[0].incarnation);
    let jumps = &case.facts.clock.jumps;
    // A jump back and forth may let a compaction see another second than both reads.
    !jumps.iter().any(|(at, _)| (from..=to).contains(at))
        && node.is_some_and(|node| {
            let packet_life = case.facts.packet_life_longest;
            let mut records = case.timeline.records.iter();
            records.all(|record| {
                !changes(record.what, reads[0].what)
                    || record.invoked_at > to
                    || is_over(record, from, node, packet_life)
            })
        })
}

/// Whether an operation may change what a read shows.
fn changes(operation: &Operation, read: &Operation) -> bool {
    if operation.table() != read.table() {
        return false;
    }
    match operation.is_write() {
        true => operation.partition() == read.partition(),
        // What a compaction forgets hides until it is done.
        false => {
            let cuts = matches!(
                operation,
                Operation::Truncate { .. } | Operation::Compact { .. }
            );
            cuts || operation.is_schema_change()
        }
    }
}

/// Whether an operation was done or not before a time, and will not be done after it.
fn is_over(record: &Record<'_>, from: Instant, node: &Incarnation, packet_life: Duration) -> bool {
    match (record.outcome, record.answered_at) {
        (Some(Outcome::Ok(_) | Outcome::Refused(_)), Some(at)) => at < from,
        // What nobody knows may be done until it reaches no incarnation any more.
        (Some(Outcome::Unknown { .. }), Some(at)) => at.after(packet_life) < node.booting_at,
        _ => false,
    }
}
