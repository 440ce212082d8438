//! Vocabulary of the flush's knobs.

use serde::{Deserialize, Serialize};

use crate::limits::MIB;

/// When memtables are flushed, and how sstables are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlushOptions {
    /// Bytes of a table's memtable at which it is flushed.
    pub memtable_size_max: u64,
    /// Bytes of commit log above which the tables are flushed that need the oldest segment.
    pub log_size_max: u64,
    /// Payload bytes at which a block of an sstable is cut.
    pub block_size: u64,
    /// How long after a failure the background tries again, in milliseconds.
    pub retry_millis: u64,
    /// Flushes of one table that run at a time, and its sealed memtables that wait for one, at least 1.
    pub flushes_per_table_max: usize,
}

impl Default for FlushOptions {
    fn default() -> FlushOptions {
        FlushOptions {
            memtable_size_max: 64 * MIB as u64,
            log_size_max: 8_192 * MIB as u64,
            block_size: 16 * 1_024,
            retry_millis: 1_000,
            flushes_per_table_max: 2,
        }
    }
}
