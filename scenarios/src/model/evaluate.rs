//! Steps of a read, by definition: the winner of each cell among all that is said of it, the rows
//! that are visible, their order, the slice, the limit. Slow on purpose.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{self, CellEffect, MarkerEffect};
use super::landed::Landed;
use super::objection::Place;
use super::order::{by_clustering, contains};
use super::slot::{Content, Path, Slot, shown};
use crate::history::{PartitionSeen, RowSeen};
use crate::plan::{Collection, Column, Operation, Scalar, Shape, Slice, Value};

/// What a read asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest<'a> {
    /// The table's shape, which decides the order of rows.
    pub shape: &'a Shape,
    /// Which rows.
    pub slice: &'a Slice,
    /// Whether against the clustering order.
    pub reversed: bool,
    /// How many rows at most.
    pub limit: Option<usize>,
    /// The wall second at which the node read: what expires then or earlier is dead.
    pub now_seconds: u32,
}

impl<'a> ReadRequest<'a> {
    /// What an operation asks for when the node does it at this wall second; none when it is not a
    /// read.
    #[must_use]
    pub fn of(
        operation: &'a Operation,
        shape: &'a Shape,
        now_seconds: u32,
    ) -> Option<ReadRequest<'a>> {
        let Operation::Read { slice, limit, .. } = operation else {
            return None;
        };
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Some(ReadRequest {
            shape,
            slice,
            reversed: operation.is_reversed(shape),
            limit,
            now_seconds,
        })
    }

    /// How two rows stand to each other in the answer.
    pub(super) fn compare(&self, left: &[Scalar], right: &[Scalar]) -> std::cmp::Ordering {
        let ordering = by_clustering(self.shape, left, right);
        if self.reversed {
            ordering.reverse()
        } else {
            ordering
        }
    }

    /// Whether the answer says of the row whether it shows. A read that reached its limit says
    /// nothing of what comes after its last row.
    pub(super) fn is_told_of(&self, row: &[Scalar], seen: &PartitionSeen) -> bool {
        let last = match self.limit {
            Some(limit) if seen.rows.len() == limit => seen.rows.last(),
            _ => None,
        };
        let is_before = |last: &RowSeen| self.compare(row, &last.clustering).is_le();
        self.asks_for(row) && last.is_none_or(is_before)
    }

    /// Whether the row is asked for.
    pub(super) fn asks_for(&self, row: &[Scalar]) -> bool {
        contains(self.slice, row)
    }
}

/// Operations with their indices, in their order.
pub(super) trait Indexed<'a, 'b>: Iterator<Item = (usize, &'b Landed<'a>)> + Clone
where
    'a: 'b,
{
}

impl<'a: 'b, 'b, I: Iterator<Item = (usize, &'b Landed<'a>)> + Clone> Indexed<'a, 'b> for I {}

/// The index of the operation that wins a cell, and what it says.
fn winner<'a: 'b, 'b>(
    operations: impl Indexed<'a, 'b>,
    place: &Place,
    slot: Slot<'_>,
) -> Option<(usize, CellEffect<'a>)> {
    let mut best: Option<(usize, CellEffect<'a>)> = None;
    for (index, operation) in operations {
        let Some(effect) = effects::cell(operation, place, slot) else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|(_, best)| effect.against(best).is_gt())
        {
            best = Some((index, effect));
        }
    }
    best
}

/// The index of the operation whose value is live in a cell.
pub(super) fn live_cell<'a: 'b, 'b>(
    mut operations: impl Indexed<'a, 'b>,
    place: &Place,
    slot: Slot<'_>,
    now_seconds: u32,
) -> Option<(usize, Content<'a>)> {
    let (index, effect) = winner(operations.clone(), place, slot)?;
    let value = effect.value.filter(|_| effect.is_live(now_seconds))?;
    let is_covered = operations.any(|(_, operation)| {
        let cover = effects::cover(operation, place, slot);
        cover.is_some_and(|at| effect.timestamp <= at)
    });
    (!is_covered).then_some((index, value))
}

/// The index of the operation whose row marker is live.
pub(super) fn live_marker<'a: 'b, 'b>(
    mut operations: impl Indexed<'a, 'b>,
    place: &Place,
    now_seconds: u32,
) -> Option<usize> {
    let mut best: Option<(usize, MarkerEffect)> = None;
    for (index, operation) in operations.clone() {
        let Some(effect) = effects::marker(operation, place) else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|(_, best)| effect.against(best).is_gt())
        {
            best = Some((index, effect));
        }
    }
    let (index, effect) = best.filter(|(_, effect)| effect.is_live(now_seconds))?;
    let is_deleted = operations.any(|(_, operation)| {
        let deletion = effects::deletion(operation.what, place);
        deletion.is_some_and(|at| effect.timestamp <= at)
    });
    (!is_deleted).then_some(index)
}

/// Every cell of which anything is said at the place, each once, in order.
pub(super) fn slots_at<'a: 'b, 'b>(
    operations: impl Indexed<'a, 'b>,
    place: &Place,
) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    for (_, operation) in operations {
        effects::put_slots(operation, place, &mut slots);
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The indices of those operations that may say something of the place, in their order.
pub(super) fn concerned(operations: &[Landed<'_>], place: &Place) -> Vec<usize> {
    let all = operations.iter().enumerate();
    let here = all.filter(|(_, landed)| effects::may_concern(landed.what, place));
    here.map(|(index, _)| index).collect()
}

fn live_cells(
    all: &[Landed<'_>],
    here: &[usize],
    place: &Place,
    now_seconds: u32,
) -> BTreeMap<Column, Value> {
    let operations = here.iter().map(|index| (*index, &all[*index]));
    let slots = slots_at(operations.clone(), place);
    let of_column = slots.chunk_by(|left, right| left.column == right.column);
    let value = |slots: &[Slot<'_>]| {
        let live = slots.iter().filter_map(|slot| {
            let (index, content) = live_cell(operations.clone(), place, *slot, now_seconds)?;
            let order = list_order(&all[index], index, *slot);
            Some((order, (slot.path, content)))
        });
        let mut live: Vec<(ListOrder, (Path<'_>, Content<'_>))> = live.collect();
        live.sort_by_key(|(order, _)| *order);
        let cells: Vec<_> = live.into_iter().map(|(_, cell)| cell).collect();
        Some((slots.first()?.column, shown(&cells)?))
    };
    of_column.filter_map(value).collect()
}

/// Elements of a list stand by their write times, then in the order in which they were put, here that of
/// the operations. All else stands by its key, as it is given.
type ListOrder = (i64, usize, usize);

fn list_order(landed: &Landed<'_>, index: usize, slot: Slot<'_>) -> ListOrder {
    match slot.path {
        Path::Item(item) => {
            let place = effects::place_in_list(landed.what, slot.column, item);
            (landed.what.timestamp().unwrap_or(0), index, place)
        }
        _ => (0, 0, 0),
    }
}

/// Whether both show the same, apart from the order of lists, of which operations alone say too little.
pub(super) fn is_same_but_for_lists(left: &PartitionSeen, right: &PartitionSeen) -> bool {
    left == right || sorted_lists(left) == sorted_lists(right)
}

fn sorted_lists(seen: &PartitionSeen) -> PartitionSeen {
    let mut seen = seen.clone();
    let rows = seen.rows.iter_mut().flat_map(|row| row.cells.values_mut());
    for value in seen.statics.values_mut().chain(rows) {
        if let Value::Many(Collection::List(items)) = value {
            items.sort();
        }
    }
    seen
}

/// What a read of a partition shows when exactly these operations have landed, and the table has all
/// columns.
#[must_use]
pub fn evaluate(operations: &[Landed<'_>], read: &ReadRequest<'_>) -> PartitionSeen {
    let now_seconds = read.now_seconds;
    let named: BTreeSet<&[Scalar]> = operations
        .iter()
        .filter_map(|operation| effects::row(operation.what))
        .collect();
    let mut rows: Vec<RowSeen> = Vec::new();
    for row in named.into_iter().filter(|row| read.asks_for(row)) {
        let place = Place::Row(row.to_vec());
        let here = concerned(operations, &place);
        let cells = live_cells(operations, &here, &place, now_seconds);
        let here = here.iter().map(|index| (*index, &operations[*index]));
        if !cells.is_empty() || live_marker(here, &place, now_seconds).is_some() {
            rows.push(RowSeen {
                clustering: row.to_vec(),
                cells,
            });
        }
    }
    rows.sort_by(|left, right| read.compare(&left.clustering, &right.clustering));
    rows.truncate(read.limit.unwrap_or(usize::MAX));
    let statics = if !rows.is_empty() || read.slice.is_whole() {
        let here = concerned(operations, &Place::Static);
        live_cells(operations, &here, &Place::Static, now_seconds)
    } else {
        BTreeMap::new()
    };
    PartitionSeen { statics, rows }
}
