//! Vocabulary of what became of deletions: how many went, and why the others stayed.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Deletions by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoneCounts {
    /// Partition deletions.
    pub partitions: u64,
    /// Range tombstones.
    pub ranges: u64,
    /// Row deletions, expired row markers among them.
    pub rows: u64,
    /// Complex deletions: each of all elements that a multi-cell column had.
    pub complex: u64,
    /// Cell tombstones, expired cells among them.
    pub cells: u64,
}

impl StoneCounts {
    /// Deletions of every kind.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.partitions + self.ranges + self.rows + self.complex + self.cells
    }
}

impl AddAssign for StoneCounts {
    fn add_assign(&mut self, other: StoneCounts) {
        self.partitions += other.partitions;
        self.ranges += other.ranges;
        self.rows += other.rows;
        self.complex += other.complex;
        self.cells += other.cells;
    }
}

/// What a purge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurgeCounts {
    /// Deletions that are gone.
    pub purged: StoneCounts,
    /// Deletions that stay because their grace is not over.
    pub kept_by_grace: StoneCounts,
    /// Deletions whose grace is over, and that nobody may purge before a repair.
    pub kept_by_repair: StoneCounts,
    /// Deletions whose grace is over, and that a memtable may need.
    pub kept_by_memtable: StoneCounts,
    /// Deletions whose grace is over, and that an sstable may need.
    pub kept_by_sstable: StoneCounts,
    /// Expired cells that stay as tombstones.
    pub converted_count: u64,
}

impl AddAssign for PurgeCounts {
    fn add_assign(&mut self, other: PurgeCounts) {
        self.purged += other.purged;
        self.kept_by_grace += other.kept_by_grace;
        self.kept_by_repair += other.kept_by_repair;
        self.kept_by_memtable += other.kept_by_memtable;
        self.kept_by_sstable += other.kept_by_sstable;
        self.converted_count += other.converted_count;
    }
}
