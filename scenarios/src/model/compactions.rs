//! Invariants of compactions: when one may have run, for which second it may have decided, and so
//! what it may have forgotten. Everything here errs on the side of "may".

use std::collections::BTreeMap;
use std::time::Duration;

use cenotaph_sim::time::Instant;

use super::fate::View;
use super::forgotten::{deletes, is_deletion};
use super::landed::ttl_of;
use super::objection::Cause;
use super::partitions::Class;
use super::state::Model;
use crate::history::{Answer, CompactionSeen, Outcome};
use crate::plan::{Operation, TableNumber};

/// How long a table keeps its deletions when it does not say so, in seconds: ten days.
const GC_GRACE_SECONDS_DEFAULT: u32 = 864_000;

/// When a compaction of a table may have begun, and what it told of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compaction {
    /// Not before this.
    from: Instant,
    /// Not after this.
    to: Instant,
    /// By when what it decided shows, or never will; none when the run ends first.
    done_by: Option<Instant>,
    /// For which second it decided, when it told.
    now_seconds: Option<u32>,
}

/// The compactions of all tables that may have had any: those asked for, and the node's own.
pub(super) fn compactions(model: &Model<'_>) -> BTreeMap<TableNumber, Vec<Compaction>> {
    let mut all: BTreeMap<TableNumber, Vec<Compaction>> = BTreeMap::new();
    for (record, fate) in model.timeline.records.iter().zip(&model.fates) {
        let Operation::Compact { table } = record.what else {
            continue;
        };
        if fate.landing.is_refused {
            continue;
        }
        let (now_seconds, done_by) = match record.outcome {
            Some(Outcome::Ok(Answer::Compacted(seen))) => {
                (Some(seen.now_seconds), record.answered_at)
            }
            _ => (None, model.end_of(fate.landing.last_incarnation)),
        };
        all.entry(*table).or_default().push(Compaction {
            from: fate.landing.first_at,
            to: fate.landing.open_until.min(model.facts.ended_at),
            done_by,
            now_seconds: now_seconds.filter(|_| !model.facts.requests_may_repeat),
        });
    }
    if model.knobs.engine.compaction_sstables_min > 0 {
        let own: Vec<Compaction> = model
            .timeline
            .incarnations
            .iter()
            .map(|node| Compaction {
                from: node.booting_at,
                to: node.ended_at.unwrap_or(model.facts.ended_at),
                done_by: node.ended_at,
                now_seconds: None,
            })
            .collect();
        for table in model.shapes.keys() {
            all.entry(*table).or_default().extend(&own);
        }
    }
    all
}

impl Model<'_> {
    fn end_of(&self, incarnation: u32) -> Option<Instant> {
        let mut nodes = self.timeline.incarnations.iter();
        nodes
            .find(|node| node.number == incarnation)
            .and_then(|node| node.ended_at)
    }

    /// Whether a compaction may have decided before the time, and not be done at the view: what it
    /// forgot still hides until then.
    pub(super) fn may_be_compacting(
        &self,
        table: TableNumber,
        decided_until: Instant,
        view: View,
    ) -> bool {
        let mut compactions = self.compactions.get(&table).into_iter().flatten();
        compactions.any(|compaction| {
            let is_done = compaction
                .done_by
                .is_some_and(|done_by| done_by <= view.from);
            compaction.from < decided_until && !is_done
        })
    }

    pub(super) fn grace_seconds(&self, table: TableNumber) -> u32 {
        let shape = self.shapes.get(&table);
        shape
            .and_then(|shape| shape.gc_grace_seconds)
            .unwrap_or(GC_GRACE_SECONDS_DEFAULT)
    }

    /// The latest second for which this compaction may have decided, when it began in that time; none
    /// when it did not begin then.
    fn decided_for(&self, compaction: &Compaction, from: Instant, to: Instant) -> Option<u32> {
        let from = from.max(compaction.from);
        let to = to.min(compaction.to);
        if from > to {
            return None;
        }
        let told = compaction.now_seconds;
        Some(told.unwrap_or_else(|| *self.facts.clock.wall_seconds(from, to).end()))
    }

    /// Whether a compaction that began before `until` may have forgotten the
    /// deletion, or the write whose time to live was over.
    pub(super) fn may_be_forgotten(
        &self,
        deletion: usize,
        table: TableNumber,
        until: Instant,
    ) -> bool {
        if !self.may_be_repaired(deletion, table, until) {
            return false;
        }
        let landed_from = self.fates[deletion].landing.first_at;
        let compactions = self.compactions.get(&table).into_iter().flatten();
        compactions.into_iter().any(|compaction| {
            compaction.from < until
                && self
                    .decided_for(compaction, landed_from, until)
                    .is_some_and(|now_seconds| self.is_past_grace(deletion, table, now_seconds))
        })
    }

    /// Whether a compaction that began before the end of the view may have forgotten it.
    pub(super) fn may_be_forgotten_by(
        &self,
        deletion: usize,
        table: TableNumber,
        view: View,
    ) -> bool {
        let after = view.to.after(Duration::from_nanos(1));
        self.may_be_forgotten(deletion, table, after)
    }

    /// Judges what the compaction of this record says that it did.
    pub(super) fn compacted(
        &self,
        index: usize,
        seen: &CompactionSeen,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let Some(table) = self.record(index).what.table() else {
            return Ok(());
        };
        let (now_seconds, told) = (seen.now_seconds, seen.gc_before_seconds);
        let gc_before = now_seconds.saturating_sub(self.grace_seconds(table));
        if told != gc_before {
            let detail = format!("graces end before second {gc_before}, not {told}");
            return Err((Cause::GraceMiscounted, detail));
        }
        if seen.purged_count == 0 || self.has_outlived(table, now_seconds, view) {
            return Ok(());
        }
        let detail = format!("{} are forgotten, and none may be", seen.purged_count);
        Err((Cause::PurgedEarly, detail))
    }

    /// Whether any deletion of the table may have outlived its grace.
    fn has_outlived(&self, table: TableNumber, now_seconds: u32, view: View) -> bool {
        let of_table = self.writes.range((table, i32::MIN)..=(table, i32::MAX));
        of_table.flat_map(|(_, writes)| writes).any(|write| {
            is_deletion(self.record(*write).what)
                && self.is_past_grace(*write, table, now_seconds)
                && self.may_be_repaired(*write, table, view.to)
                && !matches!(self.class(*write, table, view), Class::Out(_))
        })
    }

    /// Whether a compaction that decides for this second may forget the deletion, or the write whose
    /// time to live is over then.
    fn is_past_grace(&self, deletion: usize, table: TableNumber, now_seconds: u32) -> bool {
        let second = *self.fates[deletion].seconds.start();
        let what = self.record(deletion).what;
        // What it deletes itself does not wait for the end of what it writes.
        let ttl_seconds = match deletes(what) {
            true => 0,
            false => ttl_of(what).unwrap_or(0),
        };
        // What is left of an expired value has the second of its write.
        second.saturating_add(ttl_seconds) <= now_seconds
            && second < now_seconds.saturating_sub(self.grace_seconds(table))
    }

    /// Whether a compaction that began by `until` may have found the write's time to live over.
    pub(super) fn may_have_decayed(
        &self,
        write: usize,
        table: TableNumber,
        until: Instant,
    ) -> bool {
        let fate = &self.fates[write];
        let Some(ttl_seconds) = ttl_of(self.record(write).what) else {
            return false;
        };
        let ends = fate.seconds.start().saturating_add(ttl_seconds);
        let compactions = self.compactions.get(&table).into_iter().flatten();
        compactions.into_iter().any(|compaction| {
            self.decided_for(compaction, fate.landing.first_at, until)
                .is_some_and(|now_seconds| ends <= now_seconds)
        })
    }
}
