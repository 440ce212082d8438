//! Vocabulary of the engine's knobs, all together.

use serde::{Deserialize, Serialize};

use super::error::NodeError;
use crate::commitlog::CommitLogOptions;
use crate::compaction::CompactionOptions;
use crate::flush::FlushOptions;
use crate::limits::{KIB, NODE_SEGMENT_SIZE_MIN, SCHEMA_FLUSH_WINDOW_MILLIS_MAX};
use crate::metadata::MetadataOptions;
use crate::store::ManifestOptions;

/// Every knob of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The commit log.
    pub commitlog: CommitLogOptions,
    /// Memtables and sstables.
    pub flush: FlushOptions,
    /// What becomes of many sstables.
    pub compaction: CompactionOptions,
    /// The metadata log.
    pub metadata: MetadataOptions,
    /// The manifest.
    pub manifest: ManifestOptions,
    /// How long after a schema change its rows are flushed, with those of all changes until then, in
    /// milliseconds; 0 flushes in every change. A request may set it until the node ends.
    pub schema_flush_coalescing_window_millis: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            commitlog: CommitLogOptions::default(),
            flush: FlushOptions::default(),
            compaction: CompactionOptions::default(),
            metadata: MetadataOptions::default(),
            manifest: ManifestOptions::default(),
            schema_flush_coalescing_window_millis: 1_000,
        }
    }
}

/// Least and greatest block size: an index entry a block has to be worth it, and a block is read whole.
const BLOCK_SIZE_MIN: u64 = 1;
const BLOCK_SIZE_MAX: u64 = 1_024 * KIB as u64;
/// Each may hold a sealed memtable in memory.
const FLUSHES_PER_TABLE_MAX: u64 = 64;
/// A manifest file that is replaced at every edit is of no use.
const MANIFEST_SIZE_MIN: u64 = 256;

impl Config {
    /// Refuses knobs outside their bounds.
    ///
    /// # Errors
    /// [`NodeError::Knob`] for the first one. The commit log checks its others when it starts.
    pub fn check(&self) -> Result<(), NodeError> {
        let flush = self.flush;
        within("memtable_size_max", flush.memtable_size_max, 1, u64::MAX)?;
        within(
            "block_size",
            flush.block_size,
            BLOCK_SIZE_MIN,
            BLOCK_SIZE_MAX,
        )?;
        within("retry_millis", flush.retry_millis, 1, u64::MAX)?;
        let flushes_max = flush.flushes_per_table_max as u64;
        within(
            "flushes_per_table_max",
            flushes_max,
            1,
            FLUSHES_PER_TABLE_MAX,
        )?;
        check_window(self.schema_flush_coalescing_window_millis)?;
        let segment_size = self.commitlog.segment_size;
        within(
            "segment_size",
            segment_size,
            NODE_SEGMENT_SIZE_MIN,
            u64::MAX,
        )?;
        let retry_millis = self.compaction.retry_millis;
        within("compaction.retry_millis", retry_millis, 1, u64::MAX)?;
        // The newest segment cannot be given back, and one more is needed to go on.
        let log_size_min = 2 * self.commitlog.segment_size;
        within("log_size_max", flush.log_size_max, log_size_min, u64::MAX)?;
        let manifest = self.manifest;
        within(
            "file_size_max",
            manifest.file_size_max,
            MANIFEST_SIZE_MIN,
            u64::MAX,
        )?;
        within(
            "id_block_size",
            manifest.id_block_size,
            1,
            u64::from(u32::MAX),
        )
    }
}

/// Refuses a coalescing window that is out of bounds.
pub(super) fn check_window(millis: u64) -> Result<(), NodeError> {
    let knob = "schema_flush_coalescing_window_millis";
    within(knob, millis, 0, SCHEMA_FLUSH_WINDOW_MILLIS_MAX)
}

fn within(knob: &'static str, value: u64, min: u64, max: u64) -> Result<(), NodeError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(NodeError::Knob {
        knob,
        value,
        min,
        max,
    })
}
