//! Vocabulary of effects: what one operation says of one place in a partition, and nothing about
//! any other operation.

use std::cmp::{Ordering, Reverse};

use super::landed::{Decay, Landed};
use super::objection::Place;
use super::order::contains;
use super::slot::{Content, Path, Slot, change_at, content_at, of_change, of_keys, of_value, slot};
use crate::plan::{Change, Collection, Column, Operation, Scalar, Value};

/// When a time to live ends, and how long it is. Later ends win; of two that end together, the
/// shorter time, whose write came later.
type Expiry = Option<(u32, u32)>;

/// What an operation says of one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellEffect<'a> {
    pub(super) timestamp: i64,
    /// None for a tombstone.
    pub(super) value: Option<Content<'a>>,
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
                (Some(own), Some(other)) => own.against(&other),
                _ => Ordering::Equal,
            })
            .then_with(|| length(self.expiry).cmp(&length(other.expiry)))
    }

    pub(super) fn is_live(&self, now_seconds: u32) -> bool {
        self.value.is_some() && is_before_end(self.expiry, now_seconds)
    }

    /// Whether a compaction may forget it in time: a tombstone, or a value that becomes one.
    pub(super) fn is_mortal(&self) -> bool {
        self.value.is_none() || self.expiry.is_some()
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

    /// As for cells; one that has decayed goes with the rest of its write.
    pub(super) fn is_mortal(&self) -> bool {
        self.is_decayed || self.expiry.is_some()
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
    match (landed.what, place) {
        (Operation::Insert { row: Some(row), .. }, Place::Row(at)) if row == at => {
            own_marker(landed)
        }
        _ => None,
    }
}

/// The row marker that the operation leaves at its own row.
pub(super) fn own_marker(landed: &Landed<'_>) -> Option<MarkerEffect> {
    let is_decayed = match landed.decay {
        None => false,
        Some(Decay::Marker) => true,
        Some(Decay::Cell(_)) => return None,
    };
    match landed.what {
        Operation::Insert {
            row: Some(_),
            timestamp,
            ..
        } => Some(MarkerEffect {
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

/// The write time up to which the operation makes all elements of a column dead: it deletes them, or it
/// sets the column whole and so deletes what is older than itself.
pub(super) fn elements_deletion(landed: &Landed<'_>, place: &Place, column: Column) -> Option<i64> {
    match is_at(landed.what, place, column) {
        true => own_elements_deletion(landed, column),
        false => None,
    }
}

/// The same where the operation writes.
fn own_elements_deletion(landed: &Landed<'_>, column: Column) -> Option<i64> {
    if landed.decay.is_some() {
        return None;
    }
    match landed.what {
        Operation::Insert {
            cells, timestamp, ..
        }
        | Operation::Update {
            cells, timestamp, ..
        } => match cells.get(&column)? {
            Value::Many(_) => timestamp.checked_sub(1),
            Value::Scalar(_) | Value::Frozen(_) => None,
        },
        Operation::DeleteCells {
            columns, timestamp, ..
        } => columns.contains(&column).then_some(*timestamp),
        _ => None,
    }
}

/// Puts the columns of which the operation makes all elements dead, and up to which write time.
pub(super) fn put_elements_deletions(landed: &Landed<'_>, mut put: impl FnMut(Column, i64)) {
    let mut put_of = |column: &Column| {
        if let Some(at) = own_elements_deletion(landed, *column) {
            put(*column, at);
        }
    };
    match landed.what {
        Operation::Insert { cells, .. } | Operation::Update { cells, .. } => {
            cells.keys().for_each(&mut put_of);
        }
        Operation::DeleteCells { columns, .. } => columns.iter().for_each(&mut put_of),
        _ => {}
    }
}

/// False when the operation surely says nothing of the place: a look at the row, before any at the columns.
pub(super) fn may_concern(operation: &Operation, place: &Place) -> bool {
    match operation {
        Operation::Insert { .. } | Operation::Update { .. } | Operation::DeleteCells { .. } => {
            *place == Place::Static || is_at(operation, place, Column::Regular(0))
        }
        Operation::DeleteRow { .. } | Operation::DeleteRange { .. } => {
            deletion(operation, place).is_some()
        }
        _ => true,
    }
}

/// Whether what a write says of a column it says at this place: a static column is the partition's,
/// whichever row the statement names.
fn is_at(what: &Operation, place: &Place, column: Column) -> bool {
    let row = match what {
        Operation::Insert { row, .. }
        | Operation::Update { row, .. }
        | Operation::DeleteCells { row, .. } => row.as_ref(),
        _ => return false,
    };
    match (column, place) {
        (Column::Static(_), Place::Static) => true,
        (Column::Regular(_), Place::Row(at)) => row == Some(at),
        _ => false,
    }
}

/// What a write leaves in a cell of a column, wherever that is; an inner none for a tombstone.
fn written<'a>(what: &'a Operation, slot: Slot<'_>) -> Option<Option<Content<'a>>> {
    let (column, path) = (slot.column, slot.path);
    match what {
        Operation::Insert { cells, .. } => content_at(cells.get(&column)?, path).map(Some),
        Operation::Update {
            cells, elements, ..
        } => match elements.get(&column) {
            Some(change) => change_at(change, path),
            None => content_at(cells.get(&column)?, path).map(Some),
        },
        Operation::DeleteCells {
            columns, elements, ..
        } => match path {
            // A column with many cells has no such one.
            Path::Whole => columns.contains(&column).then_some(None),
            Path::Key(key) => elements.get(&column)?.contains(key).then_some(None),
            Path::Field(_) | Path::Item(_) => None,
        },
        _ => None,
    }
}

/// What the operation says of a cell.
pub(super) fn cell<'a>(
    landed: &Landed<'a>,
    place: &Place,
    slot: Slot<'_>,
) -> Option<CellEffect<'a>> {
    if !is_at(landed.what, place, slot.column) {
        return None;
    }
    effect(landed, slot, written(landed.what, slot)?)
}

/// What the operation says of a cell in which it leaves this; an inner none is a tombstone.
fn effect<'a>(
    landed: &Landed<'a>,
    slot: Slot<'_>,
    value: Option<Content<'a>>,
) -> Option<CellEffect<'a>> {
    let (value, expiry) = match landed.decay {
        None => (value, value.and(landed.expiry())),
        Some(Decay::Cell(decayed)) if decayed == slot => (None, None),
        Some(_) => return None,
    };
    Some(CellEffect {
        timestamp: landed.what.timestamp()?,
        value,
        expiry,
    })
}

/// Puts all cells of which the operation says something, and what it says, wherever they are: those of
/// regular columns in its own row.
pub(super) fn put_cells<'a>(landed: &Landed<'a>, mut put: impl FnMut(Slot<'a>, CellEffect<'a>)) {
    put_written(landed.what, |slot, value| {
        if let Some(effect) = effect(landed, slot, value) {
            put(slot, effect);
        }
    });
}

/// Puts all cells in which a write leaves something, with what it leaves; an inner none is a tombstone.
fn put_written<'a>(what: &'a Operation, mut put: impl FnMut(Slot<'a>, Option<Content<'a>>)) {
    match what {
        Operation::Insert { cells, .. } => {
            for (column, value) in cells {
                of_value(*column, value).for_each(|(slot, content)| put(slot, Some(content)));
            }
        }
        Operation::Update {
            cells, elements, ..
        } => {
            for (column, value) in cells {
                if !elements.contains_key(column) {
                    of_value(*column, value).for_each(|(slot, content)| put(slot, Some(content)));
                }
            }
            for (column, change) in elements {
                for (slot, content) in of_change(*column, change) {
                    put(slot, content);
                }
            }
        }
        Operation::DeleteCells {
            columns, elements, ..
        } => {
            for column in columns {
                if !elements.contains_key(column) {
                    put(slot(*column, Path::Whole), None);
                }
            }
            for (column, keys) in elements {
                of_keys(*column, keys).for_each(|slot| put(slot, None));
            }
        }
        _ => {}
    }
}

/// The cells of which the operation says something at the place.
pub(super) fn slots<'a>(landed: &Landed<'a>, place: &Place) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    put_cells(landed, |slot, _| {
        if is_at(landed.what, place, slot.column) {
            slots.push(slot);
        }
    });
    slots
}

/// The one row of which the operation says something, apart from deletions.
pub(super) fn row(operation: &Operation) -> Option<&[Scalar]> {
    match operation {
        Operation::Insert { row, .. } | Operation::Update { row, .. } => row.as_deref(),
        _ => None,
    }
}

/// At which place among the elements that the write puts into the list this one stands.
pub(super) fn place_in_list(what: &Operation, column: Column, item: &Scalar) -> usize {
    let collection = match what {
        Operation::Insert { cells, .. } => cells.get(&column).and_then(Value::collection),
        Operation::Update {
            cells, elements, ..
        } => match elements.get(&column) {
            Some(Change::Add(collection)) => Some(collection),
            _ => cells.get(&column).and_then(Value::collection),
        },
        _ => None,
    };
    match collection {
        Some(Collection::List(items)) => items.iter().position(|own| own == item).unwrap_or(0),
        _ => 0,
    }
}
