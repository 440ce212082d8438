//! Vocabulary of column types: one value, several values each in a cell of its own, or several frozen
//! into one value. What they are made of is scalar: nothing nests.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::identifier::Identifier;
use super::value::{DataType, Text};

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ColumnType {
    /// One value.
    Scalar(DataType),
    /// Many elements, each in a cell of its own, so that each is written and dies alone.
    MultiCell(CollectionType),
    /// `frozen<..>`: many elements in one cell, so that the last write of any replaces all.
    Frozen(CollectionType),
}

/// What a collection is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CollectionType {
    /// `map<key, value>`
    Map(DataType, DataType),
    /// `set<element>`
    Set(DataType),
    /// `list<element>`
    List(DataType),
    /// Named fields in their order; at least one.
    Struct(Vec<Field>),
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: Text,
    /// Type of its value.
    pub data_type: DataType,
}

impl ColumnType {
    /// The type of its only value, where it has one that can be part of a key.
    #[must_use]
    pub const fn scalar(&self) -> Option<DataType> {
        match self {
            ColumnType::Scalar(data_type) => Some(*data_type),
            ColumnType::MultiCell(_) | ColumnType::Frozen(_) => None,
        }
    }

    /// What it is made of, when each element has a cell of its own.
    #[must_use]
    pub const fn multi_cell(&self) -> Option<&CollectionType> {
        match self {
            ColumnType::MultiCell(collection) => Some(collection),
            ColumnType::Scalar(_) | ColumnType::Frozen(_) => None,
        }
    }

    /// The fields, when it is a struct.
    #[must_use]
    pub fn fields(&self) -> Option<&[Field]> {
        match self {
            ColumnType::MultiCell(CollectionType::Struct(fields))
            | ColumnType::Frozen(CollectionType::Struct(fields)) => Some(fields),
            ColumnType::Scalar(_) | ColumnType::MultiCell(_) | ColumnType::Frozen(_) => None,
        }
    }
}

impl From<DataType> for ColumnType {
    fn from(data_type: DataType) -> ColumnType {
        ColumnType::Scalar(data_type)
    }
}

impl From<CollectionType> for ColumnType {
    /// The one with many cells.
    fn from(collection: CollectionType) -> ColumnType {
        ColumnType::MultiCell(collection)
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnType::Scalar(data_type) => write!(f, "{data_type}"),
            ColumnType::MultiCell(collection) => write!(f, "{collection}"),
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
            CollectionType::Struct(fields) => {
                f.write_str("struct<")?;
                for (index, field) in fields.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    write!(f, "{} {}", Identifier(&field.name), field.data_type)?;
                }
                f.write_char('>')
            }
        }
    }
}
