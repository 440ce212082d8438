//! Vocabulary of failures of record files.

use crate::error::{Class, Classify, IoFailure};

/// What is wrong at one offset of a record file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Damage {
    /// The file ends inside its header.
    #[error("the file header is cut short")]
    FileHeaderCut,
    /// The header's checksum does not hold.
    #[error("the file header does not match its checksum")]
    FileHeaderChecksum,
    /// The header is whole and of a version this code does not know.
    #[error("the file format version {0} is unknown")]
    Version(u16),
    /// The header is whole and belongs to another file.
    #[error("the file header says kind {kind}, file {id}: this is another file")]
    Misplaced {
        /// Kind in the header.
        kind: u16,
        /// File id in the header.
        id: u64,
    },
    /// The file ends inside a record header.
    #[error("a record header is cut short")]
    RecordHeaderCut,
    /// A record header's checksum does not hold.
    #[error("a record header does not match its checksum")]
    RecordHeaderChecksum,
    /// A record header is whole and says what no writer writes.
    #[error("a record header is impossible")]
    RecordHeaderImpossible,
    /// The file ends inside a payload.
    #[error("a payload is cut short")]
    PayloadCut,
    /// A payload's checksum does not hold.
    #[error("a payload does not match its checksum")]
    PayloadChecksum,
    /// Nothing but zeros from here to the end.
    #[error("the rest of the file is zero")]
    Zeros,
    /// The file ends at a record boundary, before an offset that was synced.
    #[error("the file ends before what was synced")]
    Missing,
}

/// A failure of a record file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// Damage where the file was once synced.
    #[error("{file} is corrupt at offset {offset}: {damage} (synced up to {synced_upto})")]
    Corrupt {
        /// Path of the file.
        file: String,
        /// Where the damage begins.
        offset: u64,
        /// What is wrong there.
        damage: Damage,
        /// Up to where the file is known to have been synced.
        synced_upto: u64,
    },
    /// A record that is whole holds what its room never writes.
    #[error("{file} is corrupt at offset {offset}: {cause}")]
    Content {
        /// Path of the file.
        file: String,
        /// Where the record begins or ends, as the room counts.
        offset: u64,
        /// What is wrong.
        cause: String,
    },
    /// A file that a later file follows is not there.
    #[error("{file} is missing: {successor} continues it")]
    MissingFile {
        /// Path of the missing file.
        file: String,
        /// Path of the file that names it.
        successor: String,
    },
    /// A file whose id is beyond all that are ever given out.
    #[error("{file} is no file of this log: ids end at {id_max}")]
    IdTooLarge {
        /// Path of the file.
        file: String,
        /// The largest id there can be.
        id_max: u64,
    },
    /// A payload that no record can hold.
    #[error("a record of {size} bytes exceeds the maximum of {size_max}")]
    TooLarge {
        /// Size of the payload.
        size: usize,
        /// The most that fits.
        size_max: usize,
    },
    /// A file that cannot grow further.
    #[error("{file} is full: {size} bytes of at most {size_max}")]
    FileFull {
        /// Path of the file.
        file: String,
        /// Size it would have.
        size: u64,
        /// The most it may have.
        size_max: u64,
    },
    /// An earlier write or sync of this file failed: nothing is known of it any more.
    #[error("{file} takes no more: an earlier operation failed: {cause}")]
    Poisoned {
        /// Path of the file.
        file: String,
        /// The failure.
        cause: IoFailure,
    },
}

impl Classify for RecordError {
    fn class(&self) -> Class {
        match self {
            RecordError::Io(error) => error.class(),
            RecordError::Corrupt { .. }
            | RecordError::Content { .. }
            | RecordError::MissingFile { .. }
            | RecordError::IdTooLarge { .. } => Class::Corruption,
            RecordError::TooLarge { .. } => Class::Refused,
            RecordError::FileFull { .. } => Class::Busy,
            RecordError::Poisoned { .. } => Class::Stopped,
        }
    }
}
