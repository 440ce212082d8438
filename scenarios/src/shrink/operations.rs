//! Steps to plainer operations: fewer cells and columns, what is written lives for ever, slices without
//! bounds, reads without order and limit, short pauses and windows, tables without columns that nobody
//! uses and without graces.

use std::ops::Range;

use super::edit::{self, keep_operations};
use super::elements::{drop_cell, fewer_elements};
use super::faults::smaller;
use super::fields::ttl_mut;
use super::halving::List;
use super::timing;
use crate::plan::{Edge, Operation, Overlapping, Plan, Purge, Shape};
use crate::run::Outcome;

/// All operations, as a list to leave out of.
pub(super) const LIST: List = List {
    count: |plan| plan.clients.iter().map(Vec::len).sum(),
    without: |plan, range| {
        let names = edit::names(plan);
        let gone = &names[range];
        Some(keep_operations(plan, |name, _| {
            gone.binary_search(&name).is_err()
        }))
    },
    otherwise,
};

/// The same list under other keys of chance: what the failure needs of an operation is often no more
/// than that it moves others to where chance is unkind, and under another key they may be there.
pub(super) const REROLLED: List = List {
    count: LIST.count,
    without: |_, _| None,
    otherwise: |plan, _, range| {
        let names = edit::names(plan);
        let gone = &names[range];
        let rest = keep_operations(plan, |name, _| gone.binary_search(&name).is_err());
        let others = (0..KEYS).filter(|key| *key != plan.run_key);
        others
            .map(|run_key| Plan {
                run_key,
                ..rest.clone()
            })
            .collect()
    },
};

/// Keys of chance to try.
const KEYS: u64 = 16;

/// Disk anchors count what operations cause, and times pass while they last; so what goes may have
/// to leave a trace in either.
fn otherwise(plan: &Plan, outcome: &Outcome, range: Range<usize>) -> Vec<Plan> {
    let mut ways: Vec<Plan> = timing::paused(plan, outcome, range.clone())
        .into_iter()
        .collect();
    if range.len() == 1 {
        let gone = edit::names(plan)[range.start];
        let rest = keep_operations(plan, |name, _| name != gone);
        let faults = 0..rest.faults.len();
        ways.extend(faults.filter_map(|fault| edit::with_earlier_ordinal(&rest, fault, 1)));
        ways.extend(timing::timed(plan, outcome, gone));
    }
    ways
}

/// One client for two, the last ones first: one after the other is easier to follow than both at
/// once.
pub(super) fn merged_clients(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    let gone = (1..plan.clients.len()).rev();
    let pairs = gone.flat_map(|gone| (0..gone).map(move |into| (gone, into)));
    Box::new(pairs.map(move |(gone, into)| Some(edit::merged_clients(plan, gone, into))))
}

/// Sessions, as a list to leave out of.
pub(super) const CLIENTS: List = List {
    count: |plan| plan.clients.len(),
    without: |plan, range| {
        let mut plan = plan.clone();
        for gone in range.rev() {
            plan = edit::without_client(&plan, gone)?;
        }
        Some(plan)
    },
    otherwise: |_, _, _| Vec::new(),
};

/// Plans with one operation plainer.
pub(super) fn plainer(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    let sessions = plan.clients.iter().enumerate();
    Box::new(sessions.flat_map(move |(client, session)| {
        session
            .iter()
            .enumerate()
            .flat_map(move |(index, operation)| {
                ways(operation).into_iter().map(move |way| {
                    let mut next = plan.clone();
                    next.clients[client][index] = way;
                    Some(next)
                })
            })
    }))
}

/// Plans with one table narrower, wherever it is created.
pub(super) fn narrower(plan: &Plan) -> Box<dyn Iterator<Item = Option<Plan>> + '_> {
    let mut shapes = std::collections::BTreeMap::new();
    for operation in plan.clients.iter().flatten() {
        if let Operation::CreateTable { table, shape } = operation {
            shapes.insert(*table, shape.clone());
        }
    }
    Box::new(shapes.into_iter().flat_map(move |(table, shape)| {
        let (mut narrow, mut plain) = (shape.clone(), shape.clone());
        narrow.regulars.pop();
        plain.statics.clear();
        let ways = [narrow, plain].into_iter();
        let ways = ways.chain(purges(&shape)).chain(graces(&shape));
        let ways = ways.filter(move |way| *way != shape);
        ways.map(move |way| {
            let mut next = plan.clone();
            for operation in next.clients.iter_mut().flatten() {
                if let Operation::CreateTable {
                    table: named,
                    shape,
                } = operation
                    && *named == table
                {
                    *shape = way.clone();
                }
            }
            Some(next)
        })
    }))
}

/// The shape without its options, then with one of them.
fn purges(shape: &Shape) -> Vec<Shape> {
    let repaired = Purge {
        overlapping: Overlapping::None,
        ..shape.purge
    };
    let overlapping = Purge {
        only_repaired: false,
        ..shape.purge
    };
    let ways = [Purge::default(), repaired, overlapping].into_iter();
    ways.map(|purge| Shape {
        purge,
        ..shape.clone()
    })
    .collect()
}

/// The shape with the database's own grace, then with ever longer ones below its own.
fn graces(shape: &Shape) -> Vec<Shape> {
    let Some(seconds) = shape.gc_grace_seconds else {
        return Vec::new();
    };
    let shorter = smaller(seconds, 0).into_iter().map(Some);
    let graces = std::iter::once(None).chain(shorter);
    graces
        .map(|gc_grace_seconds| Shape {
            gc_grace_seconds,
            ..shape.clone()
        })
        .collect()
}

fn ways(operation: &Operation) -> Vec<Operation> {
    match operation {
        Operation::Insert { .. } | Operation::Update { .. } | Operation::DeleteCells { .. } => {
            let columns = operation.columns();
            let columns = columns.iter().rev();
            let fewer = columns.map(|column| changed(operation, |way| drop_cell(way, *column)));
            fewer
                .chain(fewer_elements(operation))
                .chain(longer_lives(operation))
                .collect()
        }
        Operation::DeleteRange { slice, .. } | Operation::Read { slice, .. } => {
            let mut ways = Vec::new();
            if let Operation::Read { .. } = operation {
                ways.push(changed(operation, plain_read));
                ways.push(changed(operation, |way| open(way, true, true)));
            }
            if !slice.from.is_open() {
                ways.push(changed(operation, |way| open(way, true, false)));
            }
            if !slice.to.is_open() {
                ways.push(changed(operation, |way| open(way, false, true)));
            }
            ways.retain(|way| way != operation);
            ways
        }
        Operation::Pause { millis } => {
            let shorter = smaller(*millis, 1).into_iter();
            shorter.map(|millis| Operation::Pause { millis }).collect()
        }
        Operation::SetSchemaFlushWindow { millis } => {
            let shorter = smaller(*millis, 0).into_iter();
            shorter
                .map(|millis| Operation::SetSchemaFlushWindow { millis })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The operation with no time to live, then with ever longer ones below its own.
fn longer_lives(operation: &Operation) -> Vec<Operation> {
    let Some(seconds) = operation.ttl_seconds() else {
        return Vec::new();
    };
    let shorter = smaller(seconds, 1).into_iter().map(Some);
    let lives = std::iter::once(None).chain(shorter);
    lives
        .map(|life| {
            changed(operation, |way| {
                if let Some(place) = ttl_mut(way) {
                    *place = life;
                }
            })
        })
        .collect()
}

fn changed(operation: &Operation, change: impl FnOnce(&mut Operation)) -> Operation {
    let mut way = operation.clone();
    change(&mut way);
    way
}

fn plain_read(operation: &mut Operation) {
    if let Operation::Read { order, limit, .. } = operation {
        *order = None;
        *limit = None;
    }
}

fn open(operation: &mut Operation, from: bool, to: bool) {
    if let Operation::Read { slice, .. } | Operation::DeleteRange { slice, .. } = operation {
        if from {
            slice.from = Edge::Open;
        }
        if to {
            slice.to = Edge::Open;
        }
        if from && to {
            slice.prefix.clear();
        }
    }
}
