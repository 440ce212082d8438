//! Fault policy of `store`: what contradicts the manifest refuses to start and removes nothing.

use crate::error::{Class, Classify, IoFailure};
use crate::record::RecordError;
use crate::sstable::SstableError;

/// A failure of the store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// A file of the manifest.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An sstable.
    #[error(transparent)]
    Sstable(#[from] SstableError),
    /// Files that a manifest should speak of, and none does.
    #[error("no valid manifest beside {file}: refusing to start, nothing was removed")]
    ManifestMissing {
        /// One of the files.
        file: String,
    },
    /// The manifest names an sstable that is not there.
    #[error("the manifest names {file}, which does not exist")]
    SstableMissing {
        /// Path of the sstable.
        file: String,
    },
    /// The manifest names an sstable of a table that the schema never had.
    #[error("the manifest names {file}, whose table never was")]
    TableUnknown {
        /// Path of the sstable.
        file: String,
    },
    /// An edit that does not fit those before it.
    #[error("{file} is corrupt at offset {offset}: {cause}")]
    Edit {
        /// Path of the manifest file.
        file: String,
        /// Where the record of the edit ends.
        offset: u64,
        /// What does not fit.
        cause: EditError,
    },
    /// There is no such table, or no more.
    #[error("there is no table {table}")]
    NoTable {
        /// The table's id.
        table: u64,
    },
}

/// Why an edit cannot be one of this manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The bytes are no edit of a known version.
    #[error("the bytes are no edit: {0}")]
    Encoding(String),
    /// An sstable is added that is there.
    #[error("sstable {0} is added twice")]
    AddedTwice(String),
    /// An sstable is removed that is not there.
    #[error("sstable {0} is removed and was not there")]
    RemovedUnknown(String),
    /// An sstable is repaired that is not there, or at no time.
    #[error("sstable {0} is repaired and is not there, or at no time")]
    RepairedUnknown(String),
    /// A floor goes down.
    #[error("the {0} goes back")]
    Backwards(&'static str),
}

impl Classify for StoreError {
    fn class(&self) -> Class {
        match self {
            StoreError::Io(error) => error.class(),
            StoreError::Record(error) => error.class(),
            StoreError::Sstable(error) => error.class(),
            StoreError::NoTable { .. } => Class::Refused,
            StoreError::ManifestMissing { .. }
            | StoreError::SstableMissing { .. }
            | StoreError::TableUnknown { .. }
            | StoreError::Edit { .. } => Class::Corruption,
        }
    }
}
