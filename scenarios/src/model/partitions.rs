//! Invariants of a partition at one look: each of its writes must have landed, may have, or has not;
//! so has each drop of a column of its table.

use std::collections::BTreeSet;

use super::consistent::Candidates;
use super::fate::View;
use super::landed::{Landed, ttl_of};
use super::seconds::telling_seconds;
use super::state::Model;
use super::survival::survives;
use crate::plan::{Operation, TableNumber};

/// Why a write is not in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    Refused,
    Dead,
    Dropped,
    Truncated,
    Future,
}

/// What is known of one write when a partition is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It must show, for this incarnation acknowledged or showed it.
    Known(u32),
    Unknown,
    Out(Absence),
}

/// The writes of a partition by what is known of them, as indices of records; and the same as the
/// candidates of an explanation. A write of which only the second is unknown stands among the known
/// ones with the first it may be, and with the others among the unknown.
#[derive(Default)]
pub(super) struct Sorted<'a> {
    /// With the incarnation that first acknowledged or showed it.
    pub(super) known: Vec<(usize, u32)>,
    pub(super) unknown: Vec<usize>,
    pub(super) out: Vec<(usize, Absence)>,
    pub(super) candidates: Candidates<'a>,
}

impl<'a> Sorted<'a> {
    /// The record behind an index into the known writes and the unknown after them.
    pub(super) fn record(&self, position: usize) -> usize {
        match self.known.get(position) {
            Some((index, _)) => *index,
            None => self.unknown[position - self.known.len()],
        }
    }

    /// How many candidates there are.
    pub(super) fn count(&self) -> usize {
        self.known.len() + self.unknown.len()
    }

    pub(super) fn landed(&self, position: usize) -> Landed<'a> {
        let candidates = &self.candidates;
        match candidates.known.get(position) {
            Some(landed) => *landed,
            None => candidates.unknown[position - candidates.known.len()],
        }
    }

    fn add(&mut self, index: usize, number: Option<u32>, landed: Landed<'a>) {
        match number {
            Some(number) => {
                self.known.push((index, number));
                self.candidates.known.push(landed);
            }
            None => self.add_unknown(index, landed),
        }
    }

    pub(super) fn add_unknown(&mut self, index: usize, landed: Landed<'a>) {
        self.unknown.push(index);
        self.candidates.unknown.push(landed);
    }
}

impl<'a> Model<'a> {
    pub(super) fn class(&self, write: usize, table: TableNumber, view: View) -> Class {
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
        if let Some(cut) = self.surely_cut_by(write, table, view) {
            return Class::Out(match self.record(cut).what {
                Operation::Truncate { .. } => Absence::Truncated,
                _ => Absence::Dropped,
            });
        }
        match self.may_be_cut(write, table, view) {
            true => Class::Unknown,
            false => self
                .known_by(write, view)
                .map_or(Class::Unknown, Class::Known),
        }
    }

    /// The incarnation that acknowledged or showed a write which no crash since may have taken. What cuts the
    /// table has no part in it.
    fn known_by(&self, write: usize, view: View) -> Option<u32> {
        let fate = &self.fates[write];
        if let Some(number) = fate.shown_by(view) {
            return Some(number);
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
        let acknowledged = fate.landing.acknowledged;
        acknowledged
            .filter(|acknowledged| is_kept(*acknowledged))
            .map(|(_, number)| number)
    }

    /// A write shows: a truncation that came after it, and can come no more, has not been.
    pub(super) fn is_not_cut(&mut self, write: usize, view: View) {
        for cut in self.truncations_after(write, view) {
            self.fates[cut].miss(view);
        }
    }

    /// A write does not show that nothing but a cut of its table can have taken: when that leaves one
    /// truncation, of an incarnation that is over, it has been, and all from before it is gone.
    pub(super) fn is_cut(&mut self, write: usize, view: View) {
        let Some(table) = self.record(write).what.table() else {
            return;
        };
        let cuts: Vec<usize> = self.cuts_after(write, table, view).collect();
        let [cut] = cuts[..] else {
            return;
        };
        let landing = &self.fates[cut].landing;
        let is_over = landing.last_incarnation < view.incarnation;
        if is_over
            && self.truncations_after(write, view) == [cut]
            && self.known_by(write, view).is_some()
        {
            self.fates[cut].keep(view);
        }
    }

    /// The truncations that began when the write was done, and may have been.
    fn truncations_after(&self, write: usize, view: View) -> Vec<usize> {
        let Some(table) = self.record(write).what.table() else {
            return Vec::new();
        };
        let done_at = self.fates[write].landing.open_until;
        let is_after = |cut: &usize| {
            let is_truncation = matches!(self.record(*cut).what, Operation::Truncate { .. });
            is_truncation && self.fates[*cut].landing.first_at >= done_at
        };
        self.cuts_after(write, table, view)
            .filter(is_after)
            .collect()
    }

    /// What is known of a drop of a column when a partition of the table is looked at.
    fn class_of_drop(&self, drop: usize, table: TableNumber, view: View) -> Class {
        if self.is_surely_dropped(drop, table, view) {
            return Class::Out(Absence::Dropped);
        }
        if !self.may_be(drop, view) {
            return Class::Out(Absence::Dead);
        }
        let is_unsure =
            !self.is_sure(drop, view) || self.drops_after(drop, table, view).next().is_some();
        if is_unsure {
            return Class::Unknown;
        }
        let fate = &self.fates[drop];
        let told_by = fate.landing.acknowledged.map(|(_, number)| number);
        Class::Known(told_by.or(fate.shown_by(view)).unwrap_or(view.incarnation))
    }

    /// All that may have landed in a partition when it is looked at for the second `now_seconds`.
    pub(super) fn sorted(
        &self,
        table: TableNumber,
        partition: i32,
        view: View,
        now_seconds: u32,
    ) -> Sorted<'a> {
        let mut sorted = Sorted::default();
        let mut late = Vec::new();
        let writes = self.writes.get(&(table, partition)).into_iter().flatten();
        for write in writes {
            let number = match self.class(*write, table, view) {
                Class::Known(number) => Some(number),
                Class::Unknown => None,
                Class::Out(absence) => {
                    sorted.out.push((*write, absence));
                    continue;
                }
            };
            let what = self.record(*write).what;
            let seconds = &self.fates[*write].seconds;
            match ttl_of(what).filter(|_| seconds.start() < seconds.end()) {
                None => sorted.add(*write, number, Landed::within(what, seconds)),
                Some(ttl_seconds) => {
                    let ends = self.ends_beside(*write, table, partition);
                    let mut seconds =
                        telling_seconds(seconds, ttl_seconds, now_seconds, &ends).into_iter();
                    let first = seconds.next().expect("a write has a second");
                    sorted.add(*write, number, Landed::at(what, first));
                    late.extend(seconds.map(|second| (*write, Landed::at(what, second))));
                }
            }
        }
        for drop in self.column_drops(table) {
            let number = match self.class_of_drop(drop, table, view) {
                Class::Known(number) => Some(number),
                Class::Unknown => None,
                Class::Out(_) => continue,
            };
            sorted.add(drop, number, Landed::at(self.record(drop).what, 0));
        }
        for (write, landed) in late {
            sorted.add_unknown(write, landed);
        }
        sorted
    }

    /// When the other writes of the partition with the same time may end: of those the last to end
    /// wins.
    fn ends_beside(&self, write: usize, table: TableNumber, partition: i32) -> Vec<u32> {
        let timestamp = self.record(write).what.timestamp();
        let writes = self.writes.get(&(table, partition)).into_iter().flatten();
        let others = writes.filter(|other| self.record(**other).what.timestamp() == timestamp);
        let ends = others.filter_map(|other| {
            let ttl_seconds = ttl_of(self.record(*other).what)?;
            let seconds = &self.fates[*other].seconds;
            let end = |second: &u32| second.saturating_add(ttl_seconds);
            Some([end(seconds.start()), end(seconds.end())])
        });
        let ends: BTreeSet<u32> = ends.flatten().collect();
        ends.into_iter().collect()
    }
}
