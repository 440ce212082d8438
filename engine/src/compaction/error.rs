//! Fault policy of a compaction: one that failed leaves its inputs as they were, and removes its output when no
//! manifest may know it; when a manifest may, the output stays until another edit says that it does not count.

use crate::error::{Class, Classify, IoFailure};
use crate::sstable::SstableError;
use crate::store::StoreError;

/// A failed compaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompactionError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// An input could not be read, or the output not written.
    #[error(transparent)]
    Sstable(#[from] SstableError),
    /// The manifest could not take it, or the table is gone.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CompactionError {
    /// Whether the table was dropped: nobody has to try again.
    #[must_use]
    pub const fn is_table_gone(&self) -> bool {
        matches!(self, CompactionError::Store(StoreError::NoTable { .. }))
    }
}

impl Classify for CompactionError {
    fn class(&self) -> Class {
        match self {
            CompactionError::Io(error) => error.class(),
            CompactionError::Sstable(error) => error.class(),
            CompactionError::Store(error) => error.class(),
        }
    }
}
