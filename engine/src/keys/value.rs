//! Vocabulary of typed values, and their plain bytes: what cells hold.
//!
//! `boolean` is `00` or `01`; `int` and `bigint` are big endian; `text` is UTF-8; `blob` is itself.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::error::KeyError;

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

impl Value {
    /// The value's type.
    #[must_use]
    pub const fn data_type(&self) -> DataType {
        match self {
            Value::Boolean(_) => DataType::Boolean,
            Value::Int(_) => DataType::Int,
            Value::BigInt(_) => DataType::BigInt,
            Value::Text(_) => DataType::Text,
            Value::Blob(_) => DataType::Blob,
        }
    }

    /// The plain bytes; their order is not the values' order.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        match self {
            Value::Boolean(flag) => Bytes::from_static(if *flag { &[1] } else { &[0] }),
            Value::Int(number) => Bytes::copy_from_slice(&number.to_be_bytes()),
            Value::BigInt(number) => Bytes::copy_from_slice(&number.to_be_bytes()),
            Value::Text(text) => Bytes::copy_from_slice(text.as_bytes()),
            Value::Blob(bytes) => bytes.clone(),
        }
    }

    /// The value of plain bytes.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when `bytes` are no value of the type.
    pub fn decode(data_type: DataType, bytes: &Bytes) -> Result<Value, KeyError> {
        let malformed = |offset, cause| KeyError::Malformed { offset, cause };
        let size = || malformed(0, "a value of the wrong size");
        match data_type {
            DataType::Boolean => match bytes.as_ref() {
                [0] => Ok(Value::Boolean(false)),
                [1] => Ok(Value::Boolean(true)),
                [_] => Err(malformed(0, "neither false nor true")),
                _ => Err(size()),
            },
            DataType::Int => {
                let array = bytes.as_ref().try_into().map_err(|_| size())?;
                Ok(Value::Int(i32::from_be_bytes(array)))
            }
            DataType::BigInt => {
                let array = bytes.as_ref().try_into().map_err(|_| size())?;
                Ok(Value::BigInt(i64::from_be_bytes(array)))
            }
            DataType::Text => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Value::Text(text.to_owned())),
                Err(error) => Err(malformed(error.valid_up_to(), "not UTF-8")),
            },
            DataType::Blob => Ok(Value::Blob(bytes.clone())),
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataType::Boolean => "boolean",
            DataType::Int => "int",
            DataType::BigInt => "bigint",
            DataType::Text => "text",
            DataType::Blob => "blob",
        })
    }
}

impl fmt::Display for Value {
    /// The CQL literal: `true`, `-7`, `'it''s'`, `0x00ff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(flag) => write!(f, "{flag}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::BigInt(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Value::Blob(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}
