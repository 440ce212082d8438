//! Vocabulary of statements: all by name, as a client knows no column ids. Each displays as its CQL.

use serde::{Deserialize, Serialize};

use crate::keys::{Order, Text, Value};
use crate::schema::TableName;

/// A key column and its value.
pub type NamedValue = (Text, Value);

/// A change of one partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteStatement {
    /// The table.
    pub table: TableName,
    /// Every column of the partition key, in key order.
    pub partition_key: Vec<NamedValue>,
    /// Write time in microseconds.
    pub timestamp: i64,
    /// How long what is written lives; `None` or 0 for ever. Only INSERT and UPDATE have one.
    pub ttl_seconds: Option<u32>,
    /// What changes.
    pub target: WriteTarget,
}

/// What a write changes in its partition. A value of a multi-cell column replaces all it has. `clustering` names every clustering column, in key order, or
/// none where only static columns are meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WriteTarget {
    /// `INSERT`: a row marker and cells.
    Insert {
        /// The row.
        clustering: Vec<NamedValue>,
        /// Static and regular columns; `None` is null.
        columns: Vec<(Text, Option<Value>)>,
    },
    /// `UPDATE`: cells.
    Update {
        /// The row.
        clustering: Vec<NamedValue>,
        /// Static and regular columns; `None` is null.
        columns: Vec<(Text, Option<Value>)>,
        /// Multi-cell columns of which some elements change. A column that is set whole is not among them.
        elements: Vec<(Text, ElementChange)>,
    },
    /// `DELETE` of columns.
    DeleteCells {
        /// The row.
        clustering: Vec<NamedValue>,
        /// Static and regular columns.
        columns: Vec<Text>,
    },
    /// `DELETE` of one row.
    DeleteRow {
        /// The row.
        clustering: Vec<NamedValue>,
    },
    /// `DELETE` of the rows between two edges, at least one of them there.
    DeleteRange {
        /// Lower edge, by value.
        lower: Option<Edge>,
        /// Upper edge, by value.
        upper: Option<Edge>,
    },
    /// `DELETE` of the whole partition, static columns with it.
    DeletePartition,
}

/// A change of some elements of a multi-cell column; the others stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ElementChange {
    /// Puts map entries or set elements, appends list elements, or sets fields of a struct, of which a null
    /// one is deleted: a value of the column's type. Of two with one key the later counts.
    Add(Value),
    /// Deletes the map entries, or set elements, with these keys.
    Remove(Vec<Value>),
}

/// One end of a set of rows, in terms of values: clustering order does not turn it round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The first clustering columns, in key order; at least one.
    pub values: Vec<NamedValue>,
    /// Whether rows that begin with the values are within.
    pub inclusive: bool,
}

/// A read of one partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadStatement {
    /// The table.
    pub table: TableName,
    /// Every column of the partition key, in key order.
    pub partition_key: Vec<NamedValue>,
    /// The static and regular columns to show; `None` for all.
    pub columns: Option<Vec<Text>>,
    /// Lower edge, by value; `None` on both sides is the whole partition.
    pub lower: Option<Edge>,
    /// Upper edge, by value.
    pub upper: Option<Edge>,
    /// `ORDER BY`; `None` is the clustering order.
    pub order_by: Option<OrderBy>,
    /// How many rows at most, at least 1; `None` for all.
    pub limit: Option<u32>,
}

/// The order that a read asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderBy {
    /// The first clustering column.
    pub column: Text,
    /// Its order: the table's, or the opposite for all clustering columns.
    pub order: Order,
}
