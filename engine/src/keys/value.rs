//! Vocabulary of typed values.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// The types a column may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DataType {
    /// `boolean`
    Boolean,
    /// `int`, 32 bits
    Int,
    /// `bigint`, 64 bits
    BigInt,
    /// `text`, UTF-8
    Text,
    /// `blob`
    Blob,
}

/// A value of one of the types.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Value {
    /// `boolean`
    Boolean(bool),
    /// `int`
    Int(i32),
    /// `bigint`
    BigInt(i64),
    /// `text`
    Text(String),
    /// `blob`
    Blob(Bytes),
}
