//! Vocabulary of what a compaction did: what it read, what it forgot, and why it kept the rest.

use std::ops::AddAssign;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::rows::{PurgeCounts, PurgeRule, StoneCounts};
use crate::sstable::Sstable;

/// What one compaction of a table did; several add up, with the times of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactionReport {
    /// The wall second for which it decided what is dead.
    pub now_seconds: u32,
    /// Deletions with an earlier second than this had outlived `gc_grace_seconds`.
    pub gc_before_seconds: u32,
    /// Sstables that went.
    pub inputs_count: u64,
    /// Sstables that came.
    pub outputs_count: u64,
    /// Deletions that are forgotten.
    pub purged: StoneCounts,
    /// Deletions that stay because their grace is not over.
    pub kept_by_grace: StoneCounts,
    /// Deletions that outlived their grace and stay because their sstables are not repaired.
    pub kept_by_repair: StoneCounts,
    /// Deletions that outlived their grace and stay because a memtable may hold older data below them.
    pub kept_by_memtable: StoneCounts,
    /// Deletions that outlived their grace and stay because an sstable outside the compaction may hold
    /// older data below them.
    pub kept_by_sstable: StoneCounts,
    /// Expired cells that became tombstones.
    pub converted_count: u64,
    /// Inputs that went unread: all in them was dead and past its grace. What their statistics count of
    /// deletions is among `purged`, but for expired row markers.
    pub unread_count: u64,
    /// Cells, markers and deletions dropped because a tombstone of an sstable that was no input covers them.
    pub shaded_count: u64,
}

impl CompactionReport {
    /// Of a compaction that has done nothing yet.
    pub(super) fn of_rule(rule: &PurgeRule) -> CompactionReport {
        CompactionReport {
            now_seconds: rule.now_seconds,
            gc_before_seconds: rule.gc_before_seconds,
            ..CompactionReport::default()
        }
    }

    /// Adds what the purge of one partition did.
    pub(super) fn add_purge(&mut self, counts: &PurgeCounts) {
        self.purged += counts.purged;
        self.kept_by_grace += counts.kept_by_grace;
        self.kept_by_repair += counts.kept_by_repair;
        self.kept_by_memtable += counts.kept_by_memtable;
        self.kept_by_sstable += counts.kept_by_sstable;
        self.converted_count += counts.converted_count;
    }

    /// Adds inputs that went unread.
    pub(super) fn add_unread(&mut self, sstables: &[Rc<Sstable>]) {
        self.unread_count += sstables.len() as u64;
        for sstable in sstables {
            let totals = &sstable.statistics().totals;
            self.purged += StoneCounts {
                partitions: totals.partition_deletion_count,
                ranges: totals.range_tombstone_count,
                rows: totals.row_deletion_count,
                complex: totals.complex_deletion_count,
                cells: totals.cell_count,
            };
        }
    }
}

impl AddAssign for CompactionReport {
    fn add_assign(&mut self, other: CompactionReport) {
        self.now_seconds = other.now_seconds;
        self.gc_before_seconds = other.gc_before_seconds;
        self.inputs_count += other.inputs_count;
        self.outputs_count += other.outputs_count;
        self.add_purge(&PurgeCounts {
            purged: other.purged,
            kept_by_grace: other.kept_by_grace,
            kept_by_repair: other.kept_by_repair,
            kept_by_memtable: other.kept_by_memtable,
            kept_by_sstable: other.kept_by_sstable,
            converted_count: other.converted_count,
        });
        self.unread_count += other.unread_count;
        self.shaded_count += other.shaded_count;
    }
}
