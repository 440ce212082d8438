//! Steps of judging a read: sort the partition's writes into those that must have landed, those
//! that may have and those that have not; find the greatest consistent set; keep what it narrows.

use super::consistent::explain;
use super::evaluate::ReadRequest;
use super::fate::View;
use super::objection::Cause;
use super::state::Model;
use super::survival::survives;
use crate::history::PartitionSeen;
use crate::plan::{Operation, TableNumber};

/// Why a write is not in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
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
pub(super) struct Sorted {
    /// With the incarnation that first acknowledged or showed it.
    pub(super) known: Vec<(usize, u32)>,
    pub(super) unknown: Vec<usize>,
    pub(super) out: Vec<(usize, Absence)>,
}

impl Sorted {
    /// The record behind an index into the known writes and the unknown after them.
    pub(super) fn record(&self, position: usize) -> usize {
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
                && survives(
                    (at, number),
                    view.incarnation,
                    incarnations,
                    self.knobs,
                    self.facts,
                )
        };
        match fate
            .landing
            .acknowledged
            .filter(|acknowledged| is_kept(*acknowledged))
        {
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
        let (Some(table), Some(partition)) = (what.table(), what.partition()) else {
            return Ok(());
        };
        let shape = self
            .shapes
            .get(&table)
            .expect("a table that is there was created");
        let Some(request) = ReadRequest::of(what, shape) else {
            return Ok(());
        };
        let sorted = self.sorted(table, partition, view);
        let known: Vec<&Operation> = sorted
            .known
            .iter()
            .map(|(write, _)| self.record(*write).what)
            .collect();
        let unknown: Vec<&Operation> = sorted
            .unknown
            .iter()
            .map(|write| self.record(*write).what)
            .collect();
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
            Err(contradiction) => Err(self.blame(&contradiction, &sorted, view)),
        }
    }
}
