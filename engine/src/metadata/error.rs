//! Vocabulary of failures of the metadata log.

use crate::error::{Class, Classify, IoFailure};
use crate::record::RecordError;
use crate::schema::SchemaError;

/// A failure of the metadata log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// A file of the log.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The change is refused.
    #[error(transparent)]
    Refused(#[from] SchemaError),
    /// An entry whose epoch does not follow the one before it.
    #[error("{file} has epoch {found} at offset {offset}, where {expected} should follow")]
    EpochGap {
        /// Path of the file.
        file: String,
        /// End of the entry.
        offset: u64,
        /// The epoch that should follow.
        expected: u64,
        /// The epoch that does.
        found: u64,
    },
    /// An entry that cannot be decoded, or that its own schema refuses.
    #[error("{file} has an entry at offset {offset} that cannot be enacted: {cause}")]
    Entry {
        /// Path of the file.
        file: String,
        /// End of the entry.
        offset: u64,
        /// Why.
        cause: Box<SchemaError>,
    },
    /// More changes wait for their sync than may.
    #[error("the metadata log is behind: {size} bytes of changes wait, of at most {size_max}")]
    Behind {
        /// Bytes that wait.
        size: usize,
        /// The most that may.
        size_max: usize,
    },
    /// An earlier failure stopped the log.
    #[error("the metadata log has stopped: {cause}")]
    Stopped {
        /// The failure.
        cause: Box<MetadataError>,
    },
    /// The log was closed.
    #[error("the metadata log is closed")]
    Closed,
}

impl Classify for MetadataError {
    fn class(&self) -> Class {
        match self {
            MetadataError::Io(error) => error.class(),
            MetadataError::Record(error) => error.class(),
            MetadataError::Refused(error) => error.class(),
            MetadataError::EpochGap { .. } | MetadataError::Entry { .. } => Class::Corruption,
            MetadataError::Behind { .. } => Class::Busy,
            MetadataError::Stopped { .. } | MetadataError::Closed => Class::Stopped,
        }
    }
}
