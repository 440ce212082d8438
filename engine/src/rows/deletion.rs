//! Vocabulary of deletions: what a tombstone covers, and from when.

use serde::{Deserialize, Serialize};

use crate::keys::Bound;

/// When something was deleted: everything in its reach with `timestamp <=` this one's is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeletionTime {
    /// Write time of the deletion in microseconds. First in the order: `>` means "supersedes".
    pub timestamp: i64,
    /// Wall second of the deletion, for purging.
    pub local_deletion_seconds: u32,
}

/// A deletion of all rows between two bounds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RangeTombstone {
    /// First position covered.
    pub start: Bound,
    /// First position no longer covered; above `start`.
    pub end: Bound,
    /// When.
    pub deletion: DeletionTime,
}
