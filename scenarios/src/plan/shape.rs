//! Vocabulary of tables: a number for a name, and which columns stand under it.
//!
//! Every table has the partition key `pk int`; clustering columns are `ck0`, `ck1`, static ones
//! `s0`, regular ones `v0`, `v1`, ... in order. So a column's name says its place.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::column_type::ColumnType;
use super::purge::Purge;

/// A table, by the number in its name: `k.t7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableNumber(pub u16);

impl fmt::Display for TableNumber {
    /// The bare name: `t7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScalarType {
    /// 32 bits.
    Int,
    /// 64 bits.
    BigInt,
    /// UTF-8.
    Text,
    /// Bytes.
    Blob,
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScalarType::Int => "int",
            ScalarType::BigInt => "bigint",
            ScalarType::Text => "text",
            ScalarType::Blob => "blob",
        })
    }
}

/// Which way a clustering column ascends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Small values first.
    Asc,
    /// Large values first.
    Desc,
}

impl Order {
    /// The other order.
    #[must_use]
    pub const fn reversed(self) -> Order {
        match self {
            Order::Asc => Order::Desc,
            Order::Desc => Order::Asc,
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Asc => "ASC",
            Order::Desc => "DESC",
        })
    }
}

/// A clustering column; in JSON `["int", "desc"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusteringColumn(pub ScalarType, pub Order);

/// A column that holds cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// `s0`: the partition's.
    Static(u8),
    /// `v0`: a row's.
    Regular(u8),
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Static(index) => write!(f, "s{index}"),
            Column::Regular(index) => write!(f, "v{index}"),
        }
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Column, String> {
        let wrong = || format!("`{text}` is not a column: expected `s0` or `v0`, `v1`, ..");
        let (kind, digits) = text.split_at_checked(1).ok_or_else(wrong)?;
        // A number has one form: no sign, no zeros before it.
        let is_formed = digits == "0" || digits.starts_with(|first| matches!(first, '1'..='9'));
        if !is_formed {
            return Err(wrong());
        }
        let index: u8 = digits.parse().map_err(|_| wrong())?;
        match kind {
            "s" => Ok(Column::Static(index)),
            "v" => Ok(Column::Regular(index)),
            _ => Err(wrong()),
        }
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Column, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The columns with which a table is created; all creations of one table number agree on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// 0 to 2 clustering columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clustering: Vec<ClusteringColumn>,
    /// 0 or 1 static columns; none without clustering columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statics: Vec<ColumnType>,
    /// 1 to 3 regular columns.
    pub regulars: Vec<ColumnType>,
    /// How long a tombstone is kept at least; the database's default when it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gc_grace_seconds: Option<u32>,
    /// What its compactions may drop.
    #[serde(default, skip_serializing_if = "Purge::is_default")]
    pub purge: Purge,
}

impl Shape {
    /// The cell columns of the table as created, in order.
    pub fn columns(&self) -> impl Iterator<Item = (Column, ColumnType)> + '_ {
        let statics = (0_u8..)
            .map(Column::Static)
            .zip(self.statics.iter().copied());
        let regulars = (0_u8..)
            .map(Column::Regular)
            .zip(self.regulars.iter().copied());
        statics.chain(regulars)
    }

    /// The type of a column that the table was created with.
    #[must_use]
    pub fn column_type(&self, column: Column) -> Option<ColumnType> {
        match column {
            Column::Static(index) => self.statics.get(usize::from(index)).copied(),
            Column::Regular(index) => self.regulars.get(usize::from(index)).copied(),
        }
    }
}
