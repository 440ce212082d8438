//! Vocabulary of column types: one value, many elements each in a cell of its own, or many frozen into
//! one value. What they are made of is scalar: nothing nests.
//!
//! In JSON a type is its text: `"bigint"`, `"map<int, text>"`, `"frozen<set<text>>"`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape::ScalarType;

/// The type of a column that holds cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnType {
    /// One value.
    Scalar(ScalarType),
    /// Many elements, each in a cell of its own, so that each is written and dies alone.
    Many(CollectionType),
    /// Many elements in one cell, so that the last write of any replaces all.
    Frozen(CollectionType),
}

/// What a collection is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CollectionType {
    /// Of keys and values.
    Map(ScalarType, ScalarType),
    /// Of elements.
    Set(ScalarType),
    /// Of elements.
    List(ScalarType),
    /// Of two fields.
    Struct(ScalarType, ScalarType),
}

impl ColumnType {
    /// What it is made of, when each element has a cell of its own.
    #[must_use]
    pub const fn many(self) -> Option<CollectionType> {
        match self {
            ColumnType::Many(collection) => Some(collection),
            ColumnType::Scalar(_) | ColumnType::Frozen(_) => None,
        }
    }
}

impl From<ScalarType> for ColumnType {
    fn from(scalar_type: ScalarType) -> ColumnType {
        ColumnType::Scalar(scalar_type)
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnType::Scalar(scalar_type) => write!(f, "{scalar_type}"),
            ColumnType::Many(collection) => write!(f, "{collection}"),
            ColumnType::Frozen(collection) => write!(f, "frozen<{collection}>"),
        }
    }
}

impl fmt::Display for CollectionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectionType::Map(key, value) => write!(f, "map<{key}, {value}>"),
            CollectionType::Set(element) => write!(f, "set<{element}>"),
            CollectionType::List(element) => write!(f, "list<{element}>"),
            CollectionType::Struct(first, second) => {
                write!(f, "struct<f0 {first}, f1 {second}>")
            }
        }
    }
}

fn scalar_type(text: &str) -> Option<ScalarType> {
    Some(match text {
        "int" => ScalarType::Int,
        "bigint" => ScalarType::BigInt,
        "text" => ScalarType::Text,
        "blob" => ScalarType::Blob,
        _ => return None,
    })
}

/// The text within `name<..>`.
fn within<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?
        .strip_prefix('<')?
        .strip_suffix('>')
}

fn collection_type(text: &str) -> Option<CollectionType> {
    if let Some(inner) = within(text, "map") {
        let (key, value) = inner.split_once(", ")?;
        return Some(CollectionType::Map(scalar_type(key)?, scalar_type(value)?));
    }
    if let Some(inner) = within(text, "struct") {
        let (first, second) = inner.split_once(", ")?;
        let first = scalar_type(first.strip_prefix("f0 ")?)?;
        let second = scalar_type(second.strip_prefix("f1 ")?)?;
        return Some(CollectionType::Struct(first, second));
    }
    if let Some(element) = within(text, "set") {
        return Some(CollectionType::Set(scalar_type(element)?));
    }
    Some(CollectionType::List(scalar_type(within(text, "list")?)?))
}

impl FromStr for ColumnType {
    type Err = String;

    fn from_str(text: &str) -> Result<ColumnType, String> {
        let frozen = || {
            Some(ColumnType::Frozen(collection_type(within(
                text, "frozen",
            )?)?))
        };
        scalar_type(text)
            .map(ColumnType::Scalar)
            .or_else(|| collection_type(text).map(ColumnType::Many))
            .or_else(frozen)
            .ok_or_else(|| {
                format!(
                    "`{text}` is not a column type: expected `int`, `bigint`, `text`, `blob`, \
                     `map<int, text>`, `set<text>`, `list<text>`, `struct<f0 text, f1 bigint>`, or \
                     one of these in `frozen<..>`"
                )
            })
    }
}

impl Serialize for ColumnType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ColumnType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ColumnType, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
