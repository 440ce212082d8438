//! Invariants of a purge: a deletion goes only when its grace is over and nothing that it covers can lie anywhere
//! else; a cell that expired is a deletion, and stays as one. What a reader sees never changes by it.
//!
//! Both comparisons are strict. A deletion of the very second in which the grace begins stays; so does one
//! with the very write time of what lies elsewhere, since of equals the deletion wins.

use super::cell::{Cell, Liveness};
use super::deletion::DeletionTime;
use super::partition::Partition;
use super::row::Row;
use super::stones::{PurgeCounts, StoneCounts};
use crate::planted::{self, Plant};

/// The least write times, in microseconds, of what a partition has in places that were not merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Of its part in memtables; `None` when no memtable has one.
    pub memtable_micros: Option<i64>,
    /// Of sstables that may have a part of it; `None` when none may.
    pub sstable_micros: Option<i64>,
}

impl Outside {
    /// All that is known of the partition was merged.
    pub const NOTHING: Outside = Outside {
        memtable_micros: None,
        sstable_micros: None,
    };
}

/// What may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurgeRule {
    /// The wall second at which it is asked what has expired.
    pub now_seconds: u32,
    /// Deletions of an earlier second have outlived their grace.
    pub gc_before_seconds: u32,
    /// What lies elsewhere.
    pub outside: Outside,
    /// Nothing goes: the table purges repaired sstables only, and not all that was merged is.
    pub is_unrepaired: bool,
}

impl PurgeRule {
    /// The rule at the wall second `now_seconds`. A grace longer than the time since 1970 is never over.
    #[must_use]
    pub const fn new(now_seconds: u32, gc_grace_seconds: u32, outside: Outside) -> PurgeRule {
        PurgeRule {
            now_seconds,
            gc_before_seconds: now_seconds.saturating_sub(gc_grace_seconds),
            outside,
            is_unrepaired: false,
        }
    }

    fn fate(&self, timestamp: i64, local_deletion_seconds: u32) -> Fate {
        let needed_by = |micros: Option<i64>| micros.is_some_and(|micros| timestamp >= micros);
        if !self.is_grace_over(local_deletion_seconds) {
            Fate::KeptByGrace
        } else if self.is_unrepaired {
            Fate::KeptByRepair
        } else if needed_by(self.outside.memtable_micros) {
            Fate::KeptByMemtable
        } else if needed_by(self.outside.sstable_micros) {
            Fate::KeptBySstable
        } else {
            Fate::Purged
        }
    }

    fn is_grace_over(&self, local_deletion_seconds: u32) -> bool {
        if planted::on(Plant::P25) {
            return local_deletion_seconds <= self.gc_before_seconds;
        }
        local_deletion_seconds < self.gc_before_seconds
    }
}

impl Partition {
    /// Drops the deletions that the rule lets go, and turns expired cells that stay into tombstones.
    /// Whatever else is in the partition has to be merged already.
    pub fn purge(&mut self, rule: &PurgeRule) -> PurgeCounts {
        let mut purge = Purge {
            rule,
            counts: PurgeCounts::default(),
        };
        purge.deletion(&mut self.deletion, |counts| &mut counts.partitions);
        self.ranges
            .retain(|range| purge.keeps(range.deletion, |counts| &mut counts.ranges));
        purge.row(&mut self.static_row);
        self.rows.retain(|_, row| {
            purge.row(row);
            !row.is_empty()
        });
        purge.counts
    }
}

impl Row {
    /// As [`Partition::purge`], of one row that is merged already.
    pub fn purge(&mut self, rule: &PurgeRule) -> PurgeCounts {
        let mut purge = Purge {
            rule,
            counts: PurgeCounts::default(),
        };
        purge.row(self);
        purge.counts
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Purged,
    KeptByGrace,
    KeptByRepair,
    KeptByMemtable,
    KeptBySstable,
}

/// Which of the counts a deletion belongs to.
type Kind = fn(&mut StoneCounts) -> &mut u64;

struct Purge<'a> {
    rule: &'a PurgeRule,
    counts: PurgeCounts,
}

impl Purge<'_> {
    /// Decides about one deletion, and counts it.
    fn keeps(&mut self, deletion: DeletionTime, kind: Kind) -> bool {
        let fate = self
            .rule
            .fate(deletion.timestamp, deletion.local_deletion_seconds);
        let counts = match fate {
            Fate::Purged => &mut self.counts.purged,
            Fate::KeptByGrace => &mut self.counts.kept_by_grace,
            Fate::KeptByRepair => &mut self.counts.kept_by_repair,
            Fate::KeptByMemtable => &mut self.counts.kept_by_memtable,
            Fate::KeptBySstable => &mut self.counts.kept_by_sstable,
        };
        *kind(counts) += 1;
        fate != Fate::Purged
    }

    fn deletion(&mut self, deletion: &mut Option<DeletionTime>, kind: Kind) {
        *deletion = deletion.filter(|deletion| self.keeps(*deletion, kind));
    }

    fn row(&mut self, row: &mut Row) {
        self.deletion(&mut row.deletion, |counts| &mut counts.rows);
        row.liveness = row.liveness.filter(|marker| self.keeps_marker(*marker));
        row.complex
            .retain(|(_, deletion)| self.keeps(*deletion, |counts| &mut counts.complex));
        row.cells.retain_mut(|(_, cell)| self.keeps_cell(cell));
    }

    /// An expired marker has no other form: it stays as it is, or goes.
    fn keeps_marker(&mut self, marker: Liveness) -> bool {
        let expired = DeletionTime {
            timestamp: marker.timestamp,
            local_deletion_seconds: marker.local_deletion_seconds,
        };
        marker.is_live(self.rule.now_seconds) || self.keeps(expired, |counts| &mut counts.rows)
    }

    fn keeps_cell(&mut self, cell: &mut Cell) -> bool {
        if cell.is_live(self.rule.now_seconds) {
            return true;
        }
        let is_expired = !cell.is_tombstone();
        if is_expired {
            if planted::on(Plant::C01) {
                self.counts.purged.cells += 1;
                return false;
            }
            // It dates from its write, which is earlier: what may go as an expired cell may go as this.
            let written_seconds = cell.local_deletion_seconds.saturating_sub(cell.ttl_seconds);
            *cell = Cell::tombstone(cell.timestamp, written_seconds);
        }
        let deletion = DeletionTime {
            timestamp: cell.timestamp,
            local_deletion_seconds: cell.local_deletion_seconds,
        };
        let is_kept = self.keeps(deletion, |counts| &mut counts.cells);
        self.counts.converted_count += u64::from(is_expired && is_kept);
        is_kept
    }
}
