//! Vocabulary of typed values, and their plain bytes: what cells hold.
//!
//! `boolean` is `00` or `01`; `int` and `bigint` are big endian; `text` is UTF-8; `blob` is itself.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::error::KeyError;
use super::nested::Decoded;

/// Text that needs no memory of its own while it is short, as names and most values are.
pub type Text = compact_str::CompactString;

/// The types of single values.
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

/// A value: of one of the types, or a collection of such values. Nothing deeper comes from outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Decoded")]
pub enum Value {
    /// `boolean`
    Boolean(bool),
    /// `int`
    Int(i32),
    /// `bigint`
    BigInt(i64),
    /// `text`
    Text(Text),
    /// `blob`
    Blob(Bytes),
    /// Entries of a map. In an answer ascending by key.
    Map(Vec<(Value, Value)>),
    /// Elements of a set. In an answer ascending.
    Set(Vec<Value>),
    /// Elements of a list, in order.
    List(Vec<Value>),
    /// Fields of a struct by name; `None` is null. In an answer all fields, in the type's order.
    Struct(Vec<(Text, Option<Value>)>),
}

/// What a value is, apart from what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// A single value.
    Scalar(DataType),
    /// A map.
    Map,
    /// A set.
    Set,
    /// A list.
    List,
    /// A struct.
    Struct,
}

impl Value {
    /// The type of a single value; none of a collection.
    #[must_use]
    pub const fn data_type(&self) -> Option<DataType> {
        match self.kind() {
            ValueKind::Scalar(data_type) => Some(data_type),
            _ => None,
        }
    }

    /// What the value is.
    #[must_use]
    pub const fn kind(&self) -> ValueKind {
        match self {
            Value::Boolean(_) => ValueKind::Scalar(DataType::Boolean),
            Value::Int(_) => ValueKind::Scalar(DataType::Int),
            Value::BigInt(_) => ValueKind::Scalar(DataType::BigInt),
            Value::Text(_) => ValueKind::Scalar(DataType::Text),
            Value::Blob(_) => ValueKind::Scalar(DataType::Blob),
            Value::Map(_) => ValueKind::Map,
            Value::Set(_) => ValueKind::Set,
            Value::List(_) => ValueKind::List,
            Value::Struct(_) => ValueKind::Struct,
        }
    }

    /// The plain bytes of a single value; their order is not the values' order.
    ///
    /// # Panics
    /// When it is a collection: only its type knows how it is encoded.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        match self {
            Value::Boolean(flag) => Bytes::from_static(if *flag { &[1] } else { &[0] }),
            Value::Int(number) => Bytes::copy_from_slice(&number.to_be_bytes()),
            Value::BigInt(number) => Bytes::copy_from_slice(&number.to_be_bytes()),
            Value::Text(text) => Bytes::copy_from_slice(text.as_bytes()),
            Value::Blob(bytes) => bytes.clone(),
            Value::Map(_) | Value::Set(_) | Value::List(_) | Value::Struct(_) => {
                panic!("the value was checked to be a single one")
            }
        }
    }

    /// The single value of plain bytes.
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
                Ok(text) => Ok(Value::Text(text.into())),
                Err(error) => Err(malformed(error.valid_up_to(), "not UTF-8")),
            },
            DataType::Blob => Ok(Value::Blob(bytes.clone())),
        }
    }
}

impl DataType {
    /// Every type.
    pub const ALL: [DataType; 5] = [
        DataType::Boolean,
        DataType::Int,
        DataType::BigInt,
        DataType::Text,
        DataType::Blob,
    ];

    /// What CQL calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DataType::Boolean => "boolean",
            DataType::Int => "int",
            DataType::BigInt => "bigint",
            DataType::Text => "text",
            DataType::Blob => "blob",
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Scalar(data_type) => write!(f, "{data_type}"),
            ValueKind::Map => f.write_str("map"),
            ValueKind::Set => f.write_str("set"),
            ValueKind::List => f.write_str("list"),
            ValueKind::Struct => f.write_str("struct"),
        }
    }
}
