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

/// The write time up to which the operation makes all elements of a column dead: it deletes them, or it
/// sets the column whole and so deletes what is older than itself.
pub(super) fn elements_deletion(landed: &Landed<'_>, place: &Place, column: Column) -> Option<i64> {
    if landed.decay.is_some() || !is_at(landed.what, place, column) {
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

/// The write time up to which the operation makes a cell dead, whatever cell it may write itself.
pub(super) fn cover(landed: &Landed<'_>, place: &Place, slot: Slot<'_>) -> Option<i64> {
    let of_elements = || match slot.is_element() {
        true => elements_deletion(landed, place, slot.column),
        false => None,
    };
    deletion(landed.what, place)
        .or_else(|| column_drop(landed.what, slot.column))
        .or_else(of_elements)
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
    let value = written(landed.what, slot)?;
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

/// The cells of which the operation says something at the place.
pub(super) fn slots<'a>(landed: &Landed<'a>, place: &Place) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    put_slots(landed, place, &mut slots);
    slots
}

/// Adds them to a list.
pub(super) fn put_slots<'a>(landed: &Landed<'a>, place: &Place, slots: &mut Vec<Slot<'a>>) {
    let count = slots.len();
    let is_here = |column: &Column| is_at(landed.what, place, *column);
    match landed.what {
        Operation::Insert { cells, .. } => {
            for (column, value) in cells.iter().filter(|(column, _)| is_here(column)) {
                slots.extend(of_value(*column, value).map(|(slot, _)| slot));
            }
        }
        Operation::Update {
            cells, elements, ..
        } => {
            for (column, value) in cells.iter().filter(|(column, _)| is_here(column)) {
                if !elements.contains_key(column) {
                    slots.extend(of_value(*column, value).map(|(slot, _)| slot));
                }
            }
            for (column, change) in elements.iter().filter(|(column, _)| is_here(column)) {
                slots.extend(of_change(*column, change));
            }
        }
        Operation::DeleteCells {
            columns, elements, ..
        } => {
            for column in columns.iter().filter(|column| is_here(column)) {
                if !elements.contains_key(column) {
                    slots.push(slot(*column, Path::Whole));
                }
            }
            for (column, keys) in elements.iter().filter(|(column, _)| is_here(column)) {
                slots.extend(of_keys(*column, keys));
            }
        }
        _ => {}
    }
    if let Some(decay) = landed.decay {
        let mut own = slots.split_off(count);
        own.retain(|slot| decay == Decay::Cell(*slot));
        slots.append(&mut own);
    }
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
