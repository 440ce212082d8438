//! Steps of a read, by definition: the winner of each cell among all that is said of it, the rows
//! that are visible, their order, the slice, the limit. Slow on purpose.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{self, CellEffect};
use super::objection::Place;
use super::order::{by_clustering, contains};
use crate::history::{PartitionSeen, RowSeen};
use crate::plan::{Column, Operation, Scalar, Shape, Slice};

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
}

impl<'a> ReadRequest<'a> {
    /// What an operation asks for; none when it is not a read.
    #[must_use]
    pub fn of(operation: &'a Operation, shape: &'a Shape) -> Option<ReadRequest<'a>> {
        let Operation::Read { slice, limit, .. } = operation else {
            return None;
        };
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Some(ReadRequest {
            shape,
            slice,
            reversed: operation.is_reversed(shape),
            limit,
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

    /// Whether the row is asked for.
    pub(super) fn asks_for(&self, row: &[Scalar]) -> bool {
        contains(self.slice, row)
    }
}

/// The latest deletion that covers the place.
pub(super) fn deleted_at(operations: &[&Operation], place: &Place) -> Option<i64> {
    operations
        .iter()
        .filter_map(|operation| effects::deletion(operation, place))
        .max()
}

/// The index of the operation that wins a cell, and what it says.
pub(super) fn winner<'a>(
    operations: &[&'a Operation],
    place: &Place,
    column: Column,
) -> Option<(usize, CellEffect<'a>)> {
    let mut best: Option<(usize, CellEffect<'a>)> = None;
    for (index, operation) in operations.iter().enumerate() {
        let Some(effect) = effects::cell(operation, place, column) else {
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
pub(super) fn live_cell<'a>(
    operations: &[&'a Operation],
    place: &Place,
    column: Column,
) -> Option<(usize, &'a Scalar)> {
    let (index, effect) = winner(operations, place, column)?;
    let value = effect.value?;
    let is_deleted = deleted_at(operations, place).is_some_and(|at| effect.timestamp <= at);
    (!is_deleted).then_some((index, value))
}

/// The index of the operation whose row marker is live.
pub(super) fn live_marker(operations: &[&Operation], place: &Place) -> Option<usize> {
    let markers = operations.iter().enumerate();
    let markers =
        markers.filter_map(|(index, operation)| Some((effects::marker(operation, place)?, index)));
    let (timestamp, index) = markers.max()?;
    let is_deleted = deleted_at(operations, place).is_some_and(|at| timestamp <= at);
    (!is_deleted).then_some(index)
}

/// Every column of which anything is said at the place.
pub(super) fn columns_at(operations: &[&Operation], place: &Place) -> BTreeSet<Column> {
    operations
        .iter()
        .flat_map(|operation| effects::columns(operation, place))
        .collect()
}

fn live_cells(operations: &[&Operation], place: &Place) -> BTreeMap<Column, Scalar> {
    columns_at(operations, place)
        .into_iter()
        .filter_map(|column| Some((column, live_cell(operations, place, column)?.1.clone())))
        .collect()
}

/// What a read of a partition shows when exactly these operations have landed.
#[must_use]
pub fn evaluate(operations: &[&Operation], read: &ReadRequest<'_>) -> PartitionSeen {
    let named: BTreeSet<&[Scalar]> = operations
        .iter()
        .filter_map(|operation| effects::row(operation))
        .collect();
    let mut rows: Vec<RowSeen> = Vec::new();
    for row in named.into_iter().filter(|row| read.asks_for(row)) {
        let place = Place::Row(row.to_vec());
        let cells = live_cells(operations, &place);
        if !cells.is_empty() || live_marker(operations, &place).is_some() {
            rows.push(RowSeen {
                clustering: row.to_vec(),
                cells,
            });
        }
    }
    rows.sort_by(|left, right| read.compare(&left.clustering, &right.clustering));
    rows.truncate(read.limit.unwrap_or(usize::MAX));
    let statics = if !rows.is_empty() || read.slice.is_whole() {
        live_cells(operations, &Place::Static)
    } else {
        BTreeMap::new()
    };
    PartitionSeen { statics, rows }
}
