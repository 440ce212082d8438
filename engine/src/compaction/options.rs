//! Vocabulary of the compaction's knobs.

use serde::{Deserialize, Serialize};

/// When tables are compacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompactionOptions {
    /// How many sstables of a table are compacted without being asked to; 0 for never.
    pub sstables_min: u64,
    /// How long after a failure the background tries again, in milliseconds.
    pub retry_millis: u64,
}

impl Default for CompactionOptions {
    fn default() -> CompactionOptions {
        CompactionOptions {
            sstables_min: 4,
            retry_millis: 1_000,
        }
    }
}
