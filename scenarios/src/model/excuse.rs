//! Invariants of what a compaction may forget: a deletion that outlived its grace goes, and with it
//! whatever it made dead. Data with an older time that lands after that is hidden by neither.
//!
//! So that something hides a write is excused when a compaction may have forgotten it before the
//! write landed, or when such a forgotten deletion had made it dead.

use super::effects;
use super::landed::Landed;
use super::objection::Place;
use crate::plan::{Column, Operation};

/// Which part of a write may show or be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The value in this column.
    Cell(Column),
    /// The row marker.
    Marker,
}

impl Part {
    /// The first of all, in their order.
    pub(super) const FIRST: Part = Part::Cell(Column::Static(0));
    /// The last of all.
    pub(super) const LAST: Part = Part::Marker;
}

/// How much a deletion covers; one goes with a forgotten other only when that covers as much.
pub(super) fn reach(operation: &Operation) -> u8 {
    match operation {
        Operation::DeletePartition { .. } => 3,
        Operation::DeleteRange { .. } => 2,
        Operation::DeleteRow { .. } => 1,
        _ => 0,
    }
}

/// Whether the first operation makes dead, and so takes from the disk, whatever by which the second
/// hides others at this place.
pub(super) fn takes(taker: &Landed<'_>, taken: &Landed<'_>, place: &Place, part: Part) -> bool {
    let deleted_at = effects::deletion(taker.what, place);
    if let Some(taken_at) = effects::deletion(taken.what, place) {
        let is_stronger = deleted_at.is_some_and(|at| {
            at > taken_at || (at == taken_at && taker.last_second >= taken.first_second)
        });
        return is_stronger && reach(taker.what) >= reach(taken.what);
    }
    match part {
        Part::Marker => effects::marker(taken, place).is_some_and(|marker| {
            let own = effects::marker(taker, place);
            deleted_at.is_some_and(|at| at >= marker.timestamp)
                || own.is_some_and(|own| own.against(&marker).is_ge())
        }),
        Part::Cell(column) => effects::cell(taken, place, column).is_some_and(|cell| {
            let own = effects::cell(taker, place, column);
            deleted_at.is_some_and(|at| at >= cell.timestamp)
                || own.is_some_and(|own| own.against(&cell).is_ge())
        }),
    }
}
