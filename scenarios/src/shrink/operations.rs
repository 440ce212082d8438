//! Steps to plainer operations: fewer cells and columns, slices without bounds, reads without order
//! and limit, short pauses, tables without columns that nobody uses.

use super::edit::{self, keep_operations};
use super::faults::smaller;
use super::halving::List;
use crate::history::Event;
use crate::plan::{Edge, Operation, OperationRef, Plan};
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
    alone: without_one,
};

/// Disk anchors count what operations cause; so one less of these may need one less of those. And an
/// operation that only says when a fault strikes gives way to the time at which it began.
fn without_one(plan: &Plan, outcome: &Outcome, at: usize) -> Vec<Plan> {
    let names = edit::names(plan);
    let gone = names[at];
    let keep = |plan: &Plan| keep_operations(plan, |name, _| name != gone);
    let rest = keep(plan);
    let faults = 0..rest.faults.len();
    let mut ways: Vec<Plan> = faults
        .filter_map(|fault| edit::with_earlier_ordinal(&rest, fault, 1))
        .collect();
    if let Some(millis) = began_at_millis(outcome, gone) {
        let timed = [millis, millis + 1].map(|millis| edit::with_time(plan, gone, millis));
        ways.extend(timed.iter().flatten().map(keep));
    }
    ways
}

fn began_at_millis(outcome: &Outcome, wanted: OperationRef) -> Option<u32> {
    let mut events = outcome.history.events().iter();
    let at = events.find_map(|event| match event {
        Event::Invoked { at, operation, .. } if *operation == wanted => Some(*at),
        _ => None,
    })?;
    u32::try_from(at.as_nanos() / 1_000_000).ok()
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
    alone: |_, _, _| Vec::new(),
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
        let ways = [narrow, plain].into_iter().filter(move |way| *way != shape);
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

fn ways(operation: &Operation) -> Vec<Operation> {
    match operation {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            let columns = cells.keys().rev();
            columns
                .map(|column| changed(operation, |way| drop_cell(way, *column)))
                .collect()
        }
        Operation::DeleteCells { columns, .. } => {
            let columns = columns.iter().rev();
            columns
                .map(|column| changed(operation, |way| drop_cell(way, *column)))
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
        _ => Vec::new(),
    }
}

fn changed(operation: &Operation, change: impl FnOnce(&mut Operation)) -> Operation {
    let mut way = operation.clone();
    change(&mut way);
    way
}

fn drop_cell(operation: &mut Operation, column: crate::plan::Column) {
    match operation {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            cells.remove(&column);
        }
        Operation::DeleteCells { columns, .. } => {
            columns.remove(&column);
        }
        _ => {}
    }
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
