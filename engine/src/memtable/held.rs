//! Vocabulary of what a memtable holds of one partition.

use crate::keys::separator::STATIC;
use crate::rows::{DeletionTime, TimestampRange};
use crate::trie::arena::Root;

/// Where the static row stands among the rows: before every bound, so that no range reaches it.
pub(super) const STATIC_KEY: &[u8] = &[STATIC];

/// A partition: two branches, and what holds for the whole. A copy is a snapshot, for as long as a guard of the
/// arena keeps what its roots lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// The partition deletion.
    pub(super) deletion: Option<DeletionTime>,
    /// What is live, by clustering; the static row at [`STATIC_KEY`].
    pub(super) live: Root,
    /// Row deletions and ranges, by clustering and bound. All supersede the partition deletion.
    pub(super) stones: Root,
    /// Rows in `live`, but for the static row.
    pub(super) row_count: u32,
    /// Entries in `stones`.
    pub(super) stone_count: u32,
    /// The write times of all that was ever put, shadowed or not.
    pub(super) timestamps: TimestampRange,
}

impl Held {
    pub(super) const fn new(timestamps: TimestampRange) -> Held {
        Held {
            deletion: None,
            live: Root::EMPTY,
            stones: Root::EMPTY,
            row_count: 0,
            stone_count: 0,
            timestamps,
        }
    }
}
