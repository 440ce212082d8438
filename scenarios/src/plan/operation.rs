//! Vocabulary of operations: what a client asks of the database, apart from any engine's types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::column_type::ColumnType;
use super::scalar::Scalar;
use super::shape::{Column, Order, Shape, TableNumber};
use super::value::{Change, Unique, Value};

/// One end of a slice, in terms of values: the table's clustering order does not turn it round.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// No limit on this side.
    #[default]
    Open,
    /// `>=` or `<=`.
    Inclusive(Scalar),
    /// `>` or `<`.
    Exclusive(Scalar),
}

impl Edge {
    /// Whether there is no limit on this side.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Edge::Open
    }
}

/// A set of rows: equality on the first clustering columns, and two bounds on the next one.
///
/// The default is every row. `from` may lie above `to`: then it is no row.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    /// Values of the first clustering columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prefix: Vec<Scalar>,
    /// Lower bound on the column after the prefix.
    #[serde(default, skip_serializing_if = "Edge::is_open")]
    pub from: Edge,
    /// Upper bound on the column after the prefix.
    #[serde(default, skip_serializing_if = "Edge::is_open")]
    pub to: Edge,
}

impl Slice {
    /// Whether the slice names the whole partition.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.prefix.is_empty() && self.from.is_open() && self.to.is_open()
    }
}

/// One request of a client, or one thing that it does between requests.
///
/// `partition` is the value of `pk`. `row` holds the values of all clustering columns (`[]` in a
/// table without them); none means the partition's static columns alone. Every written value but an
/// element of a set is unique in its plan, so a value that shows names its writer. A collection among
/// the cells replaces all that its column has; `elements` are of columns that are not among the cells.
/// Timestamps are write times in microseconds; a time to live is counted from the wall second at which
/// the node applies the write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are described once, above")]
pub enum Operation {
    /// `CREATE TABLE`.
    CreateTable { table: TableNumber, shape: Shape },
    /// `ALTER TABLE .. ADD`, of a regular column.
    AddColumn {
        table: TableNumber,
        column: Column,
        #[serde(rename = "scalar_type")]
        column_type: ColumnType,
    },
    /// `ALTER TABLE .. DROP`, of a regular column: cells up to that write time are dead, even when the
    /// column is added again.
    DropColumn {
        table: TableNumber,
        column: Column,
        dropped_micros: i64,
    },
    /// `DROP TABLE`.
    DropTable { table: TableNumber },
    /// `INSERT`: a row marker (when `row` is there) and cells.
    Insert {
        table: TableNumber,
        partition: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Vec<Scalar>>,
        cells: BTreeMap<Column, Value>,
        timestamp: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ttl_seconds: Option<u32>,
    },
    /// `UPDATE`: cells and elements, no row marker.
    Update {
        table: TableNumber,
        partition: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Vec<Scalar>>,
        cells: BTreeMap<Column, Value>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        elements: BTreeMap<Column, Change>,
        timestamp: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ttl_seconds: Option<u32>,
    },
    /// `DELETE` of columns: a cell tombstone each, or a deletion of all elements; and of entries of
    /// maps, by their keys.
    DeleteCells {
        table: TableNumber,
        partition: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Vec<Scalar>>,
        columns: BTreeSet<Column>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        elements: BTreeMap<Column, Vec<Scalar>>,
        timestamp: i64,
    },
    /// `DELETE` of one row.
    DeleteRow {
        table: TableNumber,
        partition: i32,
        row: Vec<Scalar>,
        timestamp: i64,
    },
    /// `DELETE` of a slice: a range tombstone.
    DeleteRange {
        table: TableNumber,
        partition: i32,
        slice: Slice,
        timestamp: i64,
    },
    /// `DELETE` of a whole partition, static columns with it.
    DeletePartition {
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    },
    /// `SELECT *` from one partition; `order` is the order asked for of the first clustering column.
    Read {
        table: TableNumber,
        partition: i32,
        #[serde(default, skip_serializing_if = "Slice::is_whole")]
        slice: Slice,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    },
    /// Reads the schema: which tables there are, with which columns.
    Describe,
    /// Flushes a table's memtable.
    Flush { table: TableNumber },
    /// Merges all sstables of a table, and forgets what may be forgotten.
    Compact { table: TableNumber },
    /// `TRUNCATE`.
    Truncate { table: TableNumber },
    /// Marks what a table has in files as repaired.
    MarkRepaired { table: TableNumber },
    /// Reads the deletions that are stored of a partition.
    Stones { table: TableNumber, partition: i32 },
    /// Sets how long after a schema change the schema tables are flushed; 0 flushes in each change.
    SetSchemaFlushWindow { millis: u32 },
    /// Reads the rows of `system_schema`, and the schema beside them.
    SystemSchema,
    /// Has the node flush everything and stop; the supervisor starts it again.
    Drain,
    /// The client waits; nothing is asked of the database.
    Pause { millis: u32 },
}

impl Operation {
    /// The table that the operation names.
    #[must_use]
    pub const fn table(&self) -> Option<TableNumber> {
        match self {
            Operation::CreateTable { table, .. }
            | Operation::AddColumn { table, .. }
            | Operation::DropTable { table }
            | Operation::Insert { table, .. }
            | Operation::Update { table, .. }
            | Operation::DeleteCells { table, .. }
            | Operation::DeleteRow { table, .. }
            | Operation::DeleteRange { table, .. }
            | Operation::DeletePartition { table, .. }
            | Operation::Read { table, .. }
            | Operation::DropColumn { table, .. }
            | Operation::Compact { table }
            | Operation::Truncate { table }
            | Operation::MarkRepaired { table }
            | Operation::Stones { table, .. }
            | Operation::Flush { table } => Some(*table),
            Operation::Describe
            | Operation::SetSchemaFlushWindow { .. }
            | Operation::SystemSchema
            | Operation::Drain
            | Operation::Pause { .. } => None,
        }
    }

    /// The partition that the operation reads or changes.
    #[must_use]
    pub const fn partition(&self) -> Option<i32> {
        match self {
            Operation::Insert { partition, .. }
            | Operation::Update { partition, .. }
            | Operation::DeleteCells { partition, .. }
            | Operation::DeleteRow { partition, .. }
            | Operation::DeleteRange { partition, .. }
            | Operation::DeletePartition { partition, .. }
            | Operation::Stones { partition, .. }
            | Operation::Read { partition, .. } => Some(*partition),
            _ => None,
        }
    }

    /// The write time of an operation that changes rows; none for every other.
    #[must_use]
    pub const fn timestamp(&self) -> Option<i64> {
        match self {
            Operation::Insert { timestamp, .. }
            | Operation::Update { timestamp, .. }
            | Operation::DeleteCells { timestamp, .. }
            | Operation::DeleteRow { timestamp, .. }
            | Operation::DeleteRange { timestamp, .. }
            | Operation::DeletePartition { timestamp, .. } => Some(*timestamp),
            _ => None,
        }
    }

    /// How long what the operation writes lives; none when for ever, or when it writes nothing.
    #[must_use]
    pub const fn ttl_seconds(&self) -> Option<u32> {
        match self {
            Operation::Insert { ttl_seconds, .. } | Operation::Update { ttl_seconds, .. } => {
                *ttl_seconds
            }
            _ => None,
        }
    }

    /// The columns that a write names, whole or in part.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        match self {
            Operation::Insert { cells, .. } => cells.keys().copied().collect(),
            Operation::Update {
                cells, elements, ..
            } => cells.keys().chain(elements.keys()).copied().collect(),
            Operation::DeleteCells {
                columns, elements, ..
            } => columns.iter().chain(elements.keys()).copied().collect(),
            _ => Vec::new(),
        }
    }

    /// The values that the operation writes and no other may.
    pub(super) fn unique(&self) -> Vec<Unique<'_>> {
        match self {
            Operation::Insert { cells, .. } => cells.values().flat_map(Value::unique).collect(),
            Operation::Update {
                cells, elements, ..
            } => {
                let changes = elements.values().flat_map(Change::unique);
                cells
                    .values()
                    .flat_map(Value::unique)
                    .chain(changes)
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the operation changes rows.
    #[must_use]
    pub const fn is_write(&self) -> bool {
        self.timestamp().is_some()
    }

    /// Whether the operation changes the schema.
    #[must_use]
    pub const fn is_schema_change(&self) -> bool {
        matches!(
            self,
            Operation::CreateTable { .. }
                | Operation::AddColumn { .. }
                | Operation::DropColumn { .. }
                | Operation::DropTable { .. }
        )
    }

    /// Whether a read of a table of this shape goes against its clustering order.
    #[must_use]
    pub fn is_reversed(&self, shape: &Shape) -> bool {
        match (self, shape.clustering.first()) {
            (
                Operation::Read {
                    order: Some(order), ..
                },
                Some(first),
            ) => *order != first.1,
            _ => false,
        }
    }
}

/// An operation's name in its run: `c1o17` is operation 17 of client 1, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationRef {
    /// Index of the client in the plan; the first index after the plan's is the client that reads
    /// everything once the run is healed.
    pub client: u16,
    /// Index of the operation in the client's session.
    pub index: u32,
}

impl fmt::Display for OperationRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}o{}", self.client, self.index)
    }
}

impl FromStr for OperationRef {
    type Err = String;

    fn from_str(text: &str) -> Result<OperationRef, String> {
        let parse = || {
            let (client, index) = text.strip_prefix('c')?.split_once('o')?;
            let name = OperationRef {
                client: client.parse().ok()?,
                index: index.parse().ok()?,
            };
            (name.to_string() == text).then_some(name)
        };
        parse().ok_or_else(|| format!("`{text}` is not an operation: expected `c1o17`"))
    }
}
