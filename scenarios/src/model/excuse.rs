//! Invariants of what a compaction may forget: a deletion that outlived its grace goes, and with it
//! whatever it made dead. Data with an older time that lands after that is hidden by neither.
//!
//! So that something hides a write is excused when a compaction may have forgotten it before the
//! write landed, or when such a forgotten deletion had made it dead.

use super::effects::{self, CellEffect, MarkerEffect};
use super::landed::Landed;
use super::objection::Place;
use super::slot::{Path, Slot, slot};
use crate::plan::{Column, Operation};

/// Which part of a write may show or be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part<'a> {
    /// The value in this cell.
    Cell(Slot<'a>),
    /// The row marker.
    Marker,
}

impl Part<'_> {
    /// The first of all, in their order.
    pub(super) const FIRST: Part<'static> = Part::Cell(slot(Column::Static(0), Path::Whole));
    /// The last of all.
    pub(super) const LAST: Part<'static> = Part::Marker;
}

/// One way in which an operation hides others at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Veil<'a> {
    /// It deletes the place, up to this write time.
    Deletion(i64),
    /// It deletes all elements of the column, up to this write time.
    Elements(Column, i64),
    /// It writes the cell.
    Cell(Slot<'a>, CellEffect<'a>),
    /// It writes the row marker.
    Marker(MarkerEffect),
}

impl Veil<'_> {
    /// Whether a compaction may forget it in time.
    pub(super) fn is_mortal(&self) -> bool {
        match self {
            Veil::Deletion(_) | Veil::Elements(..) => true,
            Veil::Cell(_, cell) => cell.is_mortal(),
            Veil::Marker(marker) => marker.is_mortal(),
        }
    }

    /// Whether it hides that part of the write.
    pub(super) fn hides(&self, write: &Landed<'_>, place: &Place, part: Part<'_>) -> bool {
        let at = write.what.timestamp();
        match (self, part) {
            (Veil::Deletion(up_to) | Veil::Elements(_, up_to), _) => at <= Some(*up_to),
            (Veil::Cell(_, cell), Part::Cell(slot)) => {
                let own = effects::cell(write, place, slot);
                own.is_some_and(|own| cell.against(&own).is_gt())
            }
            (Veil::Marker(marker), Part::Marker) => {
                let own = effects::marker(write, place);
                own.is_some_and(|own| marker.against(&own).is_gt())
            }
            (Veil::Cell(..), Part::Marker) | (Veil::Marker(_), Part::Cell(_)) => false,
        }
    }
}

/// Every way in which the operation may hide that part of others. Drops of columns are not among
/// them: nothing undoes those.
pub(super) fn veils<'a>(landed: &Landed<'a>, place: &Place, part: Part<'a>) -> Vec<Veil<'a>> {
    if let Some(at) = effects::deletion(landed.what, place) {
        return vec![Veil::Deletion(at)];
    }
    let of_elements = |slot: Slot<'_>| {
        let at = effects::elements_deletion(landed, place, slot.column);
        at.filter(|_| slot.is_element())
            .map(|at| Veil::Elements(slot.column, at))
    };
    let pair = match part {
        Part::Marker => [effects::marker(landed, place).map(Veil::Marker), None],
        Part::Cell(slot) => {
            let cell = effects::cell(landed, place, slot);
            [cell.map(|cell| Veil::Cell(slot, cell)), of_elements(slot)]
        }
    };
    pair.into_iter().flatten().collect()
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

/// Whether the first operation makes dead, and so takes from the disk, that by which the second hides
/// others at this place.
pub(super) fn takes_veil(
    taker: &Landed<'_>,
    taken: &Landed<'_>,
    veil: &Veil<'_>,
    place: &Place,
) -> bool {
    let deleted_at = effects::deletion(taker.what, place);
    let is_stronger = |own: Option<i64>, taken_at: i64| {
        own.is_some_and(|at| {
            at > taken_at || (at == taken_at && taker.last_second >= taken.first_second)
        })
    };
    match veil {
        Veil::Deletion(at) => {
            is_stronger(deleted_at, *at) && reach(taker.what) >= reach(taken.what)
        }
        Veil::Elements(column, at) => {
            let own = effects::elements_deletion(taker, place, *column);
            is_stronger(deleted_at, *at) || is_stronger(own, *at)
        }
        Veil::Marker(marker) => {
            let own = effects::marker(taker, place);
            deleted_at.is_some_and(|at| at >= marker.timestamp)
                || own.is_some_and(|own| own.against(marker).is_ge())
        }
        Veil::Cell(slot, cell) => {
            let own = effects::cell(taker, place, *slot);
            let emptied_at = effects::elements_deletion(taker, place, slot.column);
            let emptied_at = emptied_at.filter(|_| slot.is_element());
            deleted_at
                .max(emptied_at)
                .is_some_and(|at| at >= cell.timestamp)
                || own.is_some_and(|own| own.against(cell).is_ge())
        }
    }
}

/// Whether the first operation makes dead all by which the second hides others at this place.
pub(super) fn takes(taker: &Landed<'_>, taken: &Landed<'_>, place: &Place, part: Part<'_>) -> bool {
    let veils = veils(taken, place, part);
    let is_taken = |veil: &Veil<'_>| takes_veil(taker, taken, veil, place);
    !veils.is_empty() && veils.iter().all(is_taken)
}

/// Whether the first operation makes this part of the second dead.
pub(super) fn kills(taker: &Landed<'_>, taken: &Landed<'_>, place: &Place, part: Part<'_>) -> bool {
    let veils = veils(taken, place, part).into_iter();
    let mut own = veils.filter(|veil| !matches!(veil, Veil::Deletion(_) | Veil::Elements(..)));
    own.any(|veil| takes_veil(taker, taken, &veil, place))
}
