//! Vocabulary of errors about rows, sorted by who must act.

use crate::error::{Class, Classify};

/// Why a change is refused, or bytes are no rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// The writer chose the one timestamp that nothing may have.
    #[error("timestamp {} is reserved", i64::MIN)]
    ReservedTimestamp,
    /// A newer version of the software wrote the bytes.
    #[error("version {version} of the format is not known")]
    UnknownVersion {
        /// The version found.
        version: u8,
    },
    /// The bytes were damaged.
    #[error("byte {offset}: {cause}")]
    Malformed {
        /// Where, within the bytes given.
        offset: usize,
        /// What is wrong there.
        cause: &'static str,
    },
}

impl Classify for RowsError {
    fn class(&self) -> Class {
        match self {
            RowsError::ReservedTimestamp => Class::Refused,
            RowsError::UnknownVersion { .. } | RowsError::Malformed { .. } => Class::Corruption,
        }
    }
}
