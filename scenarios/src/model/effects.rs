//! Vocabulary of effects: what one operation says of one place in a partition, and nothing about
//! any other operation.

use std::cmp::Ordering;

use super::objection::Place;
use super::order::{by_bytes, contains};
use crate::plan::{Column, Operation, Scalar};

/// What an operation says of one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellEffect<'a> {
    pub(super) timestamp: i64,
    /// None for a tombstone.
    pub(super) value: Option<&'a Scalar>,
}

impl CellEffect<'_> {
    /// Later writes win; at one time a tombstone beats a value, and a larger value a smaller one.
    pub(super) fn against(&self, other: &CellEffect<'_>) -> Ordering {
        self.timestamp
            .cmp(&other.timestamp)
            .then_with(|| match (self.value, other.value) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(own), Some(other)) => by_bytes(own, other),
            })
    }
}

/// The write time of a row marker that the operation leaves at the row.
pub(super) fn marker(operation: &Operation, place: &Place) -> Option<i64> {
    match (operation, place) {
        (
            Operation::Insert {
                row: Some(row),
                timestamp,
                ..
            },
            Place::Row(at),
        ) if row == at => Some(*timestamp),
        _ => None,
    }
}

/// The write time of a deletion by which the operation covers the place.
pub(super) fn deletion(operation: &Operation, place: &Place) -> Option<i64> {
    let covers = match (operation, place) {
        (Operation::DeletePartition { .. }, _) => true,
        (Operation::DeleteRow { row, .. }, Place::Row(at)) => row == at,
        (Operation::DeleteRange { slice, .. }, Place::Row(at)) => contains(slice, at),
        _ => false,
    };
    covers.then(|| operation.timestamp()).flatten()
}

/// What the operation says of a cell.
pub(super) fn cell<'a>(
    operation: &'a Operation,
    place: &Place,
    column: Column,
) -> Option<CellEffect<'a>> {
    let (row, timestamp) = match operation {
        Operation::Insert { row, timestamp, .. }
        | Operation::Update { row, timestamp, .. }
        | Operation::DeleteCells { row, timestamp, .. } => (row.as_ref(), *timestamp),
        _ => return None,
    };
    // A static column is the partition's, whichever row the statement names.
    let is_here = match (column, place) {
        (Column::Static(_), Place::Static) => true,
        (Column::Regular(_), Place::Row(at)) => row == Some(at),
        _ => false,
    };
    let value = match operation {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            Some(cells.get(&column)?)
        }
        Operation::DeleteCells { columns, .. } => {
            columns.get(&column)?;
            None
        }
        _ => return None,
    };
    is_here.then_some(CellEffect { timestamp, value })
}

/// The columns of which the operation says something at the place.
pub(super) fn columns(operation: &Operation, place: &Place) -> Vec<Column> {
    let all: Vec<Column> = match operation {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            cells.keys().copied().collect()
        }
        Operation::DeleteCells { columns, .. } => columns.iter().copied().collect(),
        _ => Vec::new(),
    };
    all.into_iter()
        .filter(|column| cell(operation, place, *column).is_some())
        .collect()
}

/// The one row of which the operation says something, apart from deletions.
pub(super) fn row(operation: &Operation) -> Option<&[Scalar]> {
    match operation {
        Operation::Insert { row, .. } | Operation::Update { row, .. } => row.as_deref(),
        _ => None,
    }
}
