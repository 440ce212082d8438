//! Steps from a contradiction to its cause: from indices to operations, from "not among those that
//! may have landed" to why not, and to a sentence for a person.

use super::consistent::Contradiction;
use super::effects;
use super::fate::View;
use super::landed::Landed;
use super::objection::{Cause, Place};
use super::partitions::{Absence, Sorted};
use super::state::Model;
use crate::plan::{Change, Column, Operation};

impl Model<'_> {
    /// The contradiction in terms of operations, and in words.
    pub(super) fn blame(
        &self,
        contradiction: &Contradiction,
        sorted: &Sorted<'_>,
        view: View,
    ) -> (Cause, String) {
        match contradiction {
            Contradiction::RowsOutOfOrder(row) => {
                let detail = format!("{row} stands behind a row that must come after it, or twice");
                (Cause::RowsOutOfOrder { row: row.clone() }, detail)
            }
            Contradiction::OutsideSlice(row) => (
                Cause::OutsideSlice { row: row.clone() },
                format!("{row} was not asked for"),
            ),
            Contradiction::LimitExceeded => (
                Cause::LimitExceeded,
                "more rows show than the limit".to_owned(),
            ),
            Contradiction::StaticWithoutRow => (
                Cause::StaticWithoutRow,
                "static cells show without a row".to_owned(),
            ),
            Contradiction::CollectionMalformed(place, column) => (
                Cause::CollectionMalformed {
                    place: place.clone(),
                },
                format!("{column} in {place} shows no element, one twice, or keys out of order"),
            ),
            Contradiction::RowWithoutContent(row) => {
                let detail = format!("{row} shows, but no cell and no marker of it may be live");
                (Cause::RowWithoutContent { row: row.clone() }, detail)
            }
            Contradiction::Expired(writer, place) => self.expired(sorted.record(*writer), place),
            Contradiction::WriterExcluded(writer) => {
                let index = sorted.record(*writer);
                let detail = format!("only a part shows of {}", self.tell(index));
                (
                    Cause::Torn {
                        writer: self.record(index).name,
                    },
                    detail,
                )
            }
            Contradiction::Missing(writer, place) => {
                let index = sorted.record(*writer);
                let detail = format!("{place} misses what must show of {}", self.tell(index));
                let across_restart = is_across(*writer, sorted, view);
                let (writer, place) = (self.record(index).name, place.clone());
                (
                    Cause::Missing {
                        writer,
                        place,
                        across_restart,
                    },
                    detail,
                )
            }
            Contradiction::Hidden { by, writer, place } => {
                let across_restart = is_across(*by, sorted, view);
                let writer = writer.map(|writer| sorted.record(writer));
                self.hidden(sorted.record(*by), writer, place, across_restart)
            }
            Contradiction::Unwritten(place, column, told) => {
                self.unwritten(place, *column, told, sorted)
            }
        }
    }

    /// A value shows whose time to live was over.
    fn expired(&self, index: usize, place: &Place) -> (Cause, String) {
        let detail = format!("{place} shows what had expired of {}", self.tell(index));
        let (writer, place) = (self.record(index).name, place.clone());
        (Cause::ExpiredShows { writer, place }, detail)
    }

    /// Something shows that a known operation would hide.
    fn hidden(
        &self,
        hider: usize,
        writer: Option<usize>,
        place: &Place,
        across_restart: bool,
    ) -> (Cause, String) {
        let shown = writer.map_or("a bare row".to_owned(), |writer| self.tell(writer));
        let detail = format!("{place} shows {shown}, hidden by {}", self.tell(hider));
        let what = self.record(hider).what;
        let is_deletion = effects::deletion(what, place).is_some() || is_removal(what);
        let (by, place) = (self.record(hider).name, place.clone());
        if let Operation::DropColumn { .. } = what {
            return (Cause::DroppedCellShows { by, place }, detail);
        }
        match writer {
            Some(writer) if !is_deletion => {
                let writer = self.record(writer).name;
                (
                    Cause::Replaced {
                        by,
                        writer,
                        place,
                        across_restart,
                    },
                    detail,
                )
            }
            _ => (Cause::Deleted { by, place }, detail),
        }
    }

    /// A value shows whose writer is not among those that may have landed.
    fn unwritten(
        &self,
        place: &Place,
        column: Column,
        told: &str,
        sorted: &Sorted<'_>,
    ) -> (Cause, String) {
        let writes = |(write, _): &&(usize, Absence)| {
            let landed = Landed::at(self.record(*write).what, 0);
            let mut slots = effects::slots(&landed, place).into_iter();
            slots.any(|slot| {
                let value = effects::cell(&landed, place, slot).and_then(|cell| cell.value);
                slot.column == column && value.is_some_and(|value| slot.told(value) == told)
            })
        };
        let shows = format!("{place} shows {told}");
        let Some((write, absence)) = sorted.out.iter().find(writes) else {
            let place = place.clone();
            return (
                Cause::NeverWritten { place },
                format!("{shows}, which nobody wrote there"),
            );
        };
        let writer = self.record(*write).name;
        let (cause, why) = match absence {
            Absence::Refused => (Cause::RefusedShows { writer }, "although it was refused"),
            Absence::Dead => (Cause::DeadShows { writer }, "which was seen to be lost"),
            Absence::Dropped => (
                Cause::DroppedShows { writer },
                "from before the table was dropped",
            ),
            Absence::Truncated => (
                Cause::TruncatedShows { writer },
                "from before the table was truncated",
            ),
            Absence::Future => (Cause::FutureShows { writer }, "before it began"),
        };
        (cause, format!("{shows}, {why}, of {}", self.tell(*write)))
    }

    /// An operation with its name, and how it ended for its client.
    pub(super) fn tell(&self, index: usize) -> String {
        let record = self.record(index);
        let end = match (record.outcome, record.answered_at, record.incarnation) {
            (Some(outcome), Some(at), Some(number)) => format!("n1/{number} at {at}: {outcome}"),
            (Some(outcome), Some(at), None) => format!("at {at}: {outcome}"),
            _ => "never answered".to_owned(),
        };
        format!("{} `{}` ({end})", record.name, record.what)
    }
}

/// Whether an earlier incarnation than the one that was asked acknowledged or showed it.
fn is_across(position: usize, sorted: &Sorted<'_>, view: View) -> bool {
    sorted
        .known
        .get(position)
        .is_some_and(|(_, number)| *number < view.incarnation)
}

/// Whether the write does nothing but delete cells.
fn is_removal(what: &Operation) -> bool {
    match what {
        Operation::DeleteCells { .. } => true,
        Operation::Update {
            cells, elements, ..
        } => {
            let mut changes = elements.values();
            cells.is_empty() && changes.all(|change| matches!(change, Change::Remove(_)))
        }
        _ => false,
    }
}
