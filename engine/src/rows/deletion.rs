//! Vocabulary of deletions: what a tombstone covers, and from when.

use serde::{Deserialize, Serialize};

use crate::keys::{Bound, Clustering};
use crate::planted::{self, Plant};

/// When something was deleted: everything in its reach with `timestamp <=` this one's is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeletionTime {
    /// Write time of the deletion in microseconds. First in the order: `>` means "supersedes".
    pub timestamp: i64,
    /// Wall second of the deletion, for purging.
    pub local_deletion_seconds: u32,
}

impl DeletionTime {
    /// True when what was written at `timestamp` is dead. A tie is the deletion's.
    #[must_use]
    pub const fn deletes(&self, timestamp: i64) -> bool {
        timestamp <= self.timestamp
    }

    /// True when this is kept where `other` reaches too; otherwise it says nothing new.
    #[must_use]
    pub fn supersedes(&self, other: Option<DeletionTime>) -> bool {
        Some(*self) > other
    }
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

impl RangeTombstone {
    /// True when the row lies within.
    #[must_use]
    pub fn covers(&self, clustering: &Clustering) -> bool {
        self.start.is_before(clustering)
            && !self.end.is_before(clustering)
            && !(planted::on(Plant::P21) && self.end == clustering.after())
    }
}
