//! Vocabulary of what a compaction did: what it read, what it forgot, and why it kept the rest.

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
    /// Cell tombstones, expired cells among them.
    pub cells: u64,
}

/// What one compaction of a table did; several add up.
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
    /// Deletions that outlived their grace and stay because a memtable may hold older data below them.
    pub kept_by_memtable: StoneCounts,
    /// Deletions that outlived their grace and stay because an sstable outside the compaction may hold
    /// older data below them.
    pub kept_by_sstable: StoneCounts,
    /// Expired cells that became tombstones.
    pub converted_count: u64,
}
