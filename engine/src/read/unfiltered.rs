//! Vocabulary of what a read begins with: all versions of one partition, apart, tombstones and all.
//!
//! From here two ways lead on. [`into_partition`](Unfiltered::into_partition) merges them into one that still has every tombstone: for
//! whoever merges it with more, or stores it. [`into_live_only`](Unfiltered::into_live_only) gives rows and no tombstone, so
//! it is the end of the way: it exists here alone, where nothing is left to merge with.

use super::fragments::Fragments;
use super::live_only::LiveOnly;
use super::source::Source;
use crate::keys::Slice;
use crate::memtable::Snapshot;
use crate::rows::Partition;

/// What each source has of one partition.
#[derive(Debug, Default)]
pub struct Unfiltered {
    pub(super) sources: Vec<Source>,
}

impl Unfiltered {
    /// Adds what a memtable has.
    pub fn push_snapshot(&mut self, snapshot: Snapshot) {
        self.sources.push(Source::Memtable(snapshot));
    }

    /// Adds what was read: the slice that is asked for, or more.
    pub fn push(&mut self, partition: Partition) {
        self.sources.push(Source::Copy(partition.into()));
    }

    /// One partition of them all, within a slice. The order of sources makes no difference.
    #[must_use]
    pub fn into_partition(self, slice: &Slice) -> Partition {
        let sources = self.sources.into_iter();
        let merged =
            sources
                .map(|source| source.into_partition(slice))
                .reduce(|mut merged, source| {
                    merged.apply(source);
                    merged
                });
        merged.unwrap_or_default()
    }

    /// Rows, their deletions, and the edges of range deletions in order, as they are handed to whoever merges on.
    #[must_use]
    pub fn into_fragments(self, slice: &Slice, reversed: bool) -> Fragments {
        Fragments::new(self.into_partition(slice), reversed)
    }

    /// The rows in order, one by one, without what any tombstone of any source deletes.
    #[must_use]
    pub fn into_live_only(self, slice: &Slice, reversed: bool) -> LiveOnly {
        LiveOnly::new(self.sources, slice, reversed)
    }
}

impl From<Partition> for Unfiltered {
    fn from(partition: Partition) -> Unfiltered {
        let mut unfiltered = Unfiltered::default();
        unfiltered.push(partition);
        unfiltered
    }
}
