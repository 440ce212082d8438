//! Vocabulary of effects: what one operation says of one place in a partition, and nothing about
//! any other operation.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::landed::{Decay, Landed};
use super::objection::Place;
use super::order::{by_bytes, contains};
use crate::plan::{Column, Operation, Scalar};

/// When a time to live ends, and how long it is. Later ends win; of two that end together, the
/// shorter time, whose write came later.
type Expiry = Option<(u32, u32)>;

/// What an operation says of one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellEffect<'a> {
    pub(super) timestamp: i64,
    /// None for a tombstone.
    pub(super) value: Option<&'a Scalar>,
    expiry: Expiry,
}

impl CellEffect<'_> {
    /// Later writes win; at one time a tombstone beats a value, one that expires beats one that does
    /// not, a later expiry an earlier one, and a larger value a smaller one. What the clock shows has
    /// no part in it.
    pub(super) fn against(&self, other: &CellEffect<'_>) -> Ordering {
        let class = |cell: &CellEffect<'_>| (cell.value.is_none(), cell.expiry.is_some());
        self.timestamp
            .cmp(&other.timestamp)
            .then_with(|| class(self).cmp(&class(other)))
            .then_with(|| end(self.expiry).cmp(&end(other.expiry)))
            .then_with(|| match (self.value, other.value) {
                (Some(own), Some(other)) => by_bytes(own, other),
                _ => Ordering::Equal,
            })
            .then_with(|| length(self.expiry).cmp(&length(other.expiry)))
    }

    pub(super) fn is_live(&self, now_seconds: u32) -> bool {
        self.value.is_some() && is_before_end(self.expiry, now_seconds)
    }
}

/// A row marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkerEffect {
    pub(super) timestamp: i64,
    expiry: Expiry,
    is_decayed: bool,
}

impl MarkerEffect {
    /// As for cells; a marker has no value.
    pub(super) fn against(&self, other: &MarkerEffect) -> Ordering {
        let rank = |marker: &MarkerEffect| {
            let class = (marker.is_decayed, marker.expiry.is_some());
            let expiry = (end(marker.expiry), length(marker.expiry));
            (marker.timestamp, class, expiry)
        };
        rank(self).cmp(&rank(other))
    }

    pub(super) fn is_live(&self, now_seconds: u32) -> bool {
        !self.is_decayed && is_before_end(self.expiry, now_seconds)
    }
}

fn end(expiry: Expiry) -> Option<u32> {
    Some(expiry?.0)
}

fn length(expiry: Expiry) -> Option<Reverse<u32>> {
    Some(Reverse(expiry?.1))
}

fn is_before_end(expiry: Expiry, now_seconds: u32) -> bool {
    expiry.is_none_or(|(end, _)| now_seconds < end)
}

/// The row marker that the operation leaves at the row.
pub(super) fn marker(landed: &Landed<'_>, place: &Place) -> Option<MarkerEffect> {
    let is_decayed = match landed.decay {
        None => false,
        Some(Decay::Marker) => true,
        Some(Decay::Cell(_)) => return None,
    };
    match (landed.what, place) {
        (
            Operation::Insert {
                row: Some(row),
                timestamp,
                ..
            },
            Place::Row(at),
        ) if row == at => Some(MarkerEffect {
            timestamp: *timestamp,
            expiry: landed.expiry(),
            is_decayed,
        }),
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

/// The write time up to which the operation makes cells of the column dead, wherever they are: it
/// dropped the column.
pub(super) fn column_drop(operation: &Operation, of: Column) -> Option<i64> {
    match operation {
        Operation::DropColumn {
            column,
            dropped_micros,
            ..
        } if *column == of => Some(*dropped_micros),
        _ => None,
    }
}

/// The write time up to which the operation makes a cell dead, whatever cell it may write itself.
pub(super) fn cover(operation: &Operation, place: &Place, column: Column) -> Option<i64> {
    deletion(operation, place).or_else(|| column_drop(operation, column))
}

/// What the operation says of a cell.
pub(super) fn cell<'a>(
    landed: &Landed<'a>,
    place: &Place,
    column: Column,
) -> Option<CellEffect<'a>> {
    let (row, timestamp) = match landed.what {
        Operation::Insert { row, timestamp, .. }
        | Operation::Update { row, timestamp, .. }
        | Operation::DeleteCells { row, timestamp, .. } => (row.as_deref(), *timestamp),
        _ => return None,
    };
    if !is_of(place, column, row) {
        return None;
    }
    let value = match landed.what {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            Some(cells.get(&column)?)
        }
        Operation::DeleteCells { columns, .. } => {
            columns.get(&column)?;
            None
        }
        _ => return None,
    };
    let (value, expiry) = match landed.decay {
        None => (value, landed.expiry()),
        Some(Decay::Cell(decayed)) if decayed == column => (None, None),
        Some(_) => return None,
    };
    Some(CellEffect {
        timestamp,
        value,
        expiry,
    })
}

/// Whether a statement that names this row speaks of the column's cell at the place. A static column
/// is the partition's, whichever row the statement names.
fn is_of(place: &Place, column: Column, row: Option<&[Scalar]>) -> bool {
    match (column, place) {
        (Column::Static(_), Place::Static) => true,
        (Column::Regular(_), Place::Row(at)) => row == Some(at),
        _ => false,
    }
}

/// The columns of which the operation says something at the place.
pub(super) fn columns(landed: &Landed<'_>, place: &Place) -> impl Iterator<Item = Column> {
    let (cells, named, row) = match landed.what {
        Operation::Insert { cells, row, .. } | Operation::Update { cells, row, .. } => {
            (Some(cells), None, row.as_deref())
        }
        Operation::DeleteCells { columns, row, .. } => (None, Some(columns), row.as_deref()),
        _ => (None, None, None),
    };
    let decayed = landed.decay;
    let all = cells.into_iter().flat_map(BTreeMap::keys);
    let all = all.chain(named.into_iter().flatten()).copied();
    all.filter(move |column| is_of(place, *column, row))
        .filter(move |column| decayed.is_none_or(|decay| decay == Decay::Cell(*column)))
}

/// The one row of which the operation says something, apart from deletions.
pub(super) fn row(operation: &Operation) -> Option<&[Scalar]> {
    match operation {
        Operation::Insert { row, .. } | Operation::Update { row, .. } => row.as_deref(),
        _ => None,
    }
}
