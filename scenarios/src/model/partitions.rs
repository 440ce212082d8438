//! Steps of judging a read: sort the partition's writes into those that must have landed, those
//! that may have and those that have not; find the greatest consistent set; keep what it narrows.

use super::consistent::{Contradiction, explain};
use super::effects;
use super::evaluate::ReadRequest;
use super::fate::View;
use super::objection::{Cause, Place};
use super::state::Model;
use super::survival::survives;
use crate::history::PartitionSeen;
use crate::plan::{Column, Operation, Scalar, TableNumber};

/// Why a write is not in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Absence {
    Refused,
    Dead,
    Dropped,
    Future,
}

/// What is known of one write when a partition is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It must show, for this incarnation acknowledged or showed it.
    Known(u32),
    Unknown,
    Out(Absence),
}

/// The writes of a partition by what is known of them, as indices of records.
#[derive(Default)]
struct Sorted {
    known: Vec<(usize, u32)>,
    unknown: Vec<usize>,
    out: Vec<(usize, Absence)>,
}

impl Sorted {
    /// The record behind an index into the known writes and the unknown after them.
    fn record(&self, position: usize) -> usize {
        match self.known.get(position) {
            Some((index, _)) => *index,
            None => self.unknown[position - self.known.len()],
        }
    }
}

impl Model<'_> {
    fn class(&self, write: usize, table: TableNumber, view: View) -> Class {
        let fate = &self.fates[write];
        if fate.landing.is_refused {
            return Class::Out(Absence::Refused);
        }
        if fate.landing.first_at > view.to {
            return Class::Out(Absence::Future);
        }
        if fate.is_dead(view) {
            return Class::Out(Absence::Dead);
        }
        if self.is_surely_dropped(write, table, view) {
            return Class::Out(Absence::Dropped);
        }
        if self.drops_after(write, table, view).next().is_some() {
            return Class::Unknown;
        }
        if let Some(number) = fate.shown_by(view) {
            return Class::Known(number);
        }
        let incarnations = &self.timeline.incarnations;
        let is_kept = |(at, number): (_, u32)| {
            at <= view.from
                && number <= view.incarnation
                && survives((at, number), view.incarnation, incarnations, self.knobs, self.facts)
        };
        match fate.landing.acknowledged.filter(|acknowledged| is_kept(*acknowledged)) {
            Some((_, number)) => Class::Known(number),
            None => Class::Unknown,
        }
    }

    fn sorted(&self, table: TableNumber, partition: i32, view: View) -> Sorted {
        let mut sorted = Sorted::default();
        for write in self.writes.get(&(table, partition)).into_iter().flatten() {
            match self.class(*write, table, view) {
                Class::Known(number) => sorted.known.push((*write, number)),
                Class::Unknown => sorted.unknown.push(*write),
                Class::Out(absence) => sorted.out.push((*write, absence)),
            }
        }
        sorted
    }

    /// Judges what the read of this record showed; a cause when nothing explains it.
    pub(super) fn read(
        &mut self,
        index: usize,
        seen: &PartitionSeen,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let what = self.record(index).what;
        let (Some(table), Some(partition)) = (what.table(), what.partition()) else { return Ok(()) };
        let shape = self.shapes.get(&table).expect("a table that is there was created");
        let Some(request) = ReadRequest::of(what, shape) else { return Ok(()) };
        let sorted = self.sorted(table, partition, view);
        let known: Vec<&Operation> =
            sorted.known.iter().map(|(write, _)| self.record(*write).what).collect();
        let unknown: Vec<&Operation> =
            sorted.unknown.iter().map(|write| self.record(*write).what).collect();
        match explain(&known, &unknown, &request, seen) {
            Ok(consistent) => {
                for position in consistent.shown {
                    self.fates[sorted.unknown[position]].show_write(view);
                }
                for position in consistent.excluded {
                    self.fates[sorted.unknown[position]].miss(view);
                }
                Ok(())
            }
            Err(contradiction) => Err(self.cause(&contradiction, &sorted, view)),
        }
    }

    /// The contradiction in terms of operations.
    fn cause(&self, contradiction: &Contradiction, sorted: &Sorted, view: View) -> (Cause, String) {
        let name = |position: &usize| self.record(sorted.record(*position)).name;
        let tell = |position: &usize| self.tell(sorted.record(*position));
        let across = |position: &usize| {
            sorted.known.get(*position).is_some_and(|(_, number)| *number < view.incarnation)
        };
        match contradiction {
            Contradiction::RowsOutOfOrder(row) => {
                let detail = format!("{row} stands behind a row that must come after it, or twice");
                (Cause::RowsOutOfOrder { row: row.clone() }, detail)
            }
            Contradiction::OutsideSlice(row) => {
                (Cause::OutsideSlice { row: row.clone() }, format!("{row} was not asked for"))
            }
            Contradiction::LimitExceeded => {
                (Cause::LimitExceeded, "more rows show than the limit".to_owned())
            }
            Contradiction::StaticWithoutRow => {
                (Cause::StaticWithoutRow, "static cells show without a row".to_owned())
            }
            Contradiction::RowWithoutContent(row) => {
                let detail = format!("{row} shows, but no cell and no marker of it may be live");
                (Cause::RowWithoutContent { row: row.clone() }, detail)
            }
            Contradiction::WriterExcluded(writer) => {
                let detail = format!("only a part shows of {}", tell(writer));
                (Cause::Torn { writer: name(writer) }, detail)
            }
            Contradiction::Missing(writer, place) => {
                let detail = format!("{place} misses what must show of {}", tell(writer));
                let (writer, across_restart) = (name(writer), across(writer));
                (Cause::Missing { writer, place: place.clone(), across_restart }, detail)
            }
            Contradiction::Hidden { by, writer, place } => {
                let what = writer.as_ref().map_or("a bare row".to_owned(), tell);
                let detail = format!("{place} shows {what}, hidden by {}", tell(by));
                let hider = self.record(sorted.record(*by)).what;
                let is_deletion = effects::deletion(hider, place).is_some()
                    || matches!(hider, Operation::DeleteCells { .. });
                let (by, place, across_restart) = (name(by), place.clone(), across(by));
                match writer {
                    Some(writer) if !is_deletion => {
                        (Cause::Replaced { by, writer: name(writer), place, across_restart }, detail)
                    }
                    _ => (Cause::Deleted { by, place }, detail),
                }
            }
            Contradiction::Unwritten(place, column, value) => {
                self.unwritten(place, *column, value, sorted)
            }
        }
    }

    /// A value shows whose writer is not among those that may have landed.
    fn unwritten(
        &self,
        place: &Place,
        column: Column,
        value: &Scalar,
        sorted: &Sorted,
    ) -> (Cause, String) {
        let writes = |(write, _): &&(usize, Absence)| {
            let cell = effects::cell(self.record(*write).what, place, column);
            cell.is_some_and(|cell| cell.value == Some(value))
        };
        let shows = format!("{place} shows {column} = {value}");
        let Some((write, absence)) = sorted.out.iter().find(writes) else {
            let place = place.clone();
            return (Cause::NeverWritten { place }, format!("{shows}, which nobody wrote there"));
        };
        let (writer, told) = (self.record(*write).name, self.tell(*write));
        match absence {
            Absence::Refused => {
                (Cause::RefusedShows { writer }, format!("{shows} of the refused {told}"))
            }
            Absence::Dead => (
                Cause::DeadShows { writer },
                format!("{shows}, which was seen to be absent, of {told}"),
            ),
            Absence::Dropped => (
                Cause::DroppedShows { writer },
                format!("{shows} from before the table was dropped, of {told}"),
            ),
            Absence::Future => {
                (Cause::FutureShows { writer }, format!("{shows} before it began, of {told}"))
            }
        }
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
