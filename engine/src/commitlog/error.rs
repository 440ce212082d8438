//! Vocabulary of failures of the commit log.

use crate::error::{Class, Classify, IoFailure};
use crate::record::RecordError;

/// A failure of the commit log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitLogError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// A segment.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A mutation that no segment takes.
    #[error("a mutation of {size} bytes exceeds the maximum of {size_max}")]
    MutationTooLarge {
        /// Size of the encoded mutation.
        size: usize,
        /// The most that half a segment holds.
        size_max: usize,
    },
    /// More is reserved and not yet written than may be.
    #[error("the commit log is behind: {size} bytes wait to be written, of at most {size_max}")]
    Behind {
        /// Bytes that wait.
        size: usize,
        /// The most that may.
        size_max: usize,
    },
    /// A record of a table that the schema never knew: the schema is behind its data.
    #[error("{file} has a record of table {table} at offset {offset}, and no such table ever was")]
    UnknownTable {
        /// Path of the segment.
        file: String,
        /// End of the record.
        offset: u64,
        /// The table's id.
        table: u64,
    },
    /// A segment on disk whose id was not yet given out.
    #[error("{file} is there, though the next id to give out is {id}")]
    FutureSegment {
        /// Path of the segment.
        file: String,
        /// The next id.
        id: u64,
    },
    /// The source of segment ids failed.
    #[error("no id for the next segment: {cause}")]
    NoSegmentId {
        /// What kind of failure.
        class: Class,
        /// The failure.
        cause: String,
    },
    /// A knob outside its bounds.
    #[error("{knob} = {value} is not within {min} and {max}")]
    Knob {
        /// Which.
        knob: &'static str,
        /// What it was set to.
        value: u64,
        /// Its least value.
        min: u64,
        /// Its greatest.
        max: u64,
    },
    /// An earlier failure stopped the log.
    #[error("the commit log has stopped: {cause}")]
    Stopped {
        /// The failure.
        cause: Box<CommitLogError>,
    },
    /// The log was closed.
    #[error("the commit log is closed")]
    Closed,
}

impl Classify for CommitLogError {
    fn class(&self) -> Class {
        match self {
            CommitLogError::Io(error) => error.class(),
            CommitLogError::Record(error) => error.class(),
            CommitLogError::MutationTooLarge { .. } => Class::Refused,
            CommitLogError::Behind { .. } => Class::Busy,
            CommitLogError::UnknownTable { .. } | CommitLogError::FutureSegment { .. } => {
                Class::Corruption
            }
            CommitLogError::NoSegmentId { class, .. } => *class,
            CommitLogError::Knob { .. } => Class::Refused,
            CommitLogError::Stopped { .. } | CommitLogError::Closed => Class::Stopped,
        }
    }
}
