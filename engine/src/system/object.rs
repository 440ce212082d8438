//! Invariants of rows: each says all that the schema knows of its object, and nothing else; every column has
//! a value; equal objects have equal rows.

use std::fmt;

use super::table::SystemTable;
use crate::keys::{Order, Text, Value};
use crate::rows::ColumnId;
use crate::schema::{Column, ColumnKind, DroppedColumn, Table};

/// Which row: its table, its partition and its clustering.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// The table.
    pub table: SystemTable,
    /// The partition.
    pub keyspace: Text,
    /// Clustering values; fewer than there are columns for all rows that begin with them.
    pub names: Vec<Text>,
}

impl fmt::Display for RowKey {
    /// `columns: ks.t.c`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.table.name(), self.keyspace)?;
        self.names.iter().try_for_each(|name| write!(f, ".{name}"))
    }
}

/// A row: the values of its regular columns, ascending by id. `None` is null, which no row that was written
/// whole has.
pub(super) type Row = (RowKey, Vec<Option<Value>>);

/// The row of a keyspace.
pub(super) fn keyspace_row(keyspace: &str) -> Row {
    let key = RowKey {
        table: SystemTable::Keyspaces,
        keyspace: keyspace.into(),
        names: Vec::new(),
    };
    (key, vec![Some(Value::Boolean(true))])
}

/// Key of what belongs to a table: of its row, of all its columns, of one.
pub(super) fn key(of: SystemTable, table: &Table, column: Option<&str>) -> RowKey {
    let names = std::iter::once(table.name.table.as_str()).chain(column);
    RowKey {
        table: of,
        keyspace: table.name.keyspace.clone(),
        names: names.map(Text::from).collect(),
    }
}

/// All rows of a table.
pub(super) fn table_rows(table: &Table) -> Vec<Row> {
    let (mut partition_count, mut clustering_count) = (0, 0);
    let columns = table.columns.iter().map(|column| {
        let position = match column.kind {
            ColumnKind::PartitionKey => next(&mut partition_count),
            ColumnKind::Clustering(_) => next(&mut clustering_count),
            ColumnKind::Static | ColumnKind::Regular => NO_POSITION,
        };
        column_row(table, column, position)
    });
    let mut rows: Vec<Row> = columns.collect();
    let dropped = table.dropped.iter();
    rows.extend(dropped.map(|dropped| dropped_row(table, dropped)));
    let values = vec![
        big(table.id.0),
        big(table.altered.0),
        big(u64::from(table.gc_grace_seconds)),
        id(table.next_column),
        Some(Value::Boolean(table.purge.only_purge_repaired_tombstones)),
        text(table.purge.provide_overlapping_tombstones.name()),
    ];
    rows.push((key(SystemTable::Tables, table, None), values));
    rows
}

/// Of columns that are not part of the key.
const NO_POSITION: i32 = -1;

fn next(count: &mut i32) -> i32 {
    *count += 1;
    *count - 1
}

fn column_row(table: &Table, column: &Column, position: i32) -> Row {
    let order = match column.kind {
        ColumnKind::Clustering(Order::Ascending) => "asc",
        ColumnKind::Clustering(Order::Descending) => "desc",
        ColumnKind::PartitionKey | ColumnKind::Static | ColumnKind::Regular => "none",
    };
    let values = vec![
        id(column.id),
        text(order),
        text(kind_name(column.kind)),
        Some(Value::Int(position)),
        text(&column.data_type.to_string()),
    ];
    (key(SystemTable::Columns, table, Some(&column.name)), values)
}

fn dropped_row(table: &Table, dropped: &DroppedColumn) -> Row {
    let column = &dropped.column;
    let values = vec![
        id(column.id),
        Some(Value::BigInt(dropped.dropped_micros)),
        text(kind_name(column.kind)),
        text(&column.data_type.to_string()),
    ];
    let key = key(SystemTable::DroppedColumns, table, Some(&column.name));
    (key, values)
}

fn big(number: u64) -> Option<Value> {
    let number = i64::try_from(number).expect("epochs and seconds are far below");
    Some(Value::BigInt(number))
}

fn id(column: ColumnId) -> Option<Value> {
    let id = i32::try_from(column.0).expect("a table has few columns");
    Some(Value::Int(id))
}

fn text(name: &str) -> Option<Value> {
    Some(Value::Text(name.into()))
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::PartitionKey => "partition_key",
        ColumnKind::Clustering(_) => "clustering",
        ColumnKind::Static => "static",
        ColumnKind::Regular => "regular",
    }
}

/// The kind that a row names; of a dropped column the order is `none`.
pub(super) fn kind(name: &str, order: &str) -> Option<ColumnKind> {
    match (name, order) {
        ("partition_key", "none") => Some(ColumnKind::PartitionKey),
        ("clustering", "asc") => Some(ColumnKind::Clustering(Order::Ascending)),
        ("clustering", "desc") => Some(ColumnKind::Clustering(Order::Descending)),
        ("static", "none") => Some(ColumnKind::Static),
        ("regular", "none") => Some(ColumnKind::Regular),
        _ => None,
    }
}
