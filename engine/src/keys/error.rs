//! Vocabulary of errors about keys and values, sorted by who must act.

use super::value::{DataType, ValueKind};
use crate::error::{Class, Classify};

/// Why values are no key, or bytes are no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The statement names too few or too many key values.
    #[error("{got} key values where {expected} are needed")]
    ValueCount {
        /// How many there are; for a prefix, the most there may be.
        expected: usize,
        /// How many were given.
        got: usize,
    },
    /// The statement gives a key column a value of another type.
    #[error("key column {index} is {expected}, the value is {got}")]
    ValueType {
        /// Which key column, from 0.
        index: usize,
        /// The column's type.
        expected: DataType,
        /// What the value is.
        got: ValueKind,
    },
    /// The statement's partition key has no bytes.
    #[error("a partition key must not be empty")]
    Empty,
    /// The statement's key is too long.
    #[error("a key of {size} bytes, the maximum is {size_max}")]
    TooLarge {
        /// Bytes of the encoded key.
        size: usize,
        /// The maximum.
        size_max: usize,
    },
    /// The statement compares columns of opposite clustering order: no contiguous range of rows.
    #[error("the bounds span clustering columns of opposite order")]
    MixedOrder,
    /// The bytes were damaged, or belong to another shape.
    #[error("byte {offset}: {cause}")]
    Malformed {
        /// Where, within the bytes given.
        offset: usize,
        /// What is wrong there.
        cause: &'static str,
    },
}

impl Classify for KeyError {
    fn class(&self) -> Class {
        match self {
            KeyError::ValueCount { .. }
            | KeyError::ValueType { .. }
            | KeyError::Empty
            | KeyError::TooLarge { .. }
            | KeyError::MixedOrder => Class::Refused,
            KeyError::Malformed { .. } => Class::Corruption,
        }
    }
}
