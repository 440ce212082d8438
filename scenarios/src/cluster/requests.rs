//! Steps of turning a plan's operation into a request of the wire protocol: numbers become names,
//! scalars become typed values.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph_engine::keys::{DataType, Order as KeyOrder, Text, Value as KeyValue};
use cenotaph_engine::message::{
    Edge as KeyEdge, ElementChange, NamedValue, OrderBy, ReadStatement, Request, WriteStatement,
    WriteTarget,
};
use cenotaph_engine::schema::{
    Change as SchemaChange, ColumnDefinition, ColumnKind, PurgeOptions, Table, TableName,
    TombstoneOption,
};

use super::types::{Shapes, data_type, data_type_of, text};
use super::values::{change, scalar, value};
use crate::plan::{
    Change, Column, ColumnType, Edge, Operation, Order, Overlapping, Purge, Scalar, Shape, Slice,
    TableNumber, Value,
};

/// The keyspace of all tables.
pub(super) const KEYSPACE: &str = "k";

/// The name of the partition key's only column.
const PARTITION_KEY: &str = "pk";

impl Shapes {
    /// The request for an operation; none for a pause, which asks for nothing, and for a read of
    /// `system_schema`, which is several requests.
    pub(super) fn request(&self, operation: &Operation) -> Option<Request> {
        let name = operation.table().map(table_name);
        Some(match (operation, name) {
            (Operation::Describe, _) => Request::Describe,
            (Operation::Drain, _) => Request::Drain,
            (Operation::SetSchemaFlushWindow { millis }, _) => Request::SetSchemaFlushWindow {
                millis: u64::from(*millis),
            },
            (Operation::Pause { .. } | Operation::SystemSchema, _) | (_, None) => return None,
            (Operation::Flush { .. }, table) => Request::Flush { table },
            (Operation::Compact { .. }, table) => Request::Compact { table },
            (Operation::Truncate { .. }, Some(table)) => Request::Truncate { table },
            (Operation::MarkRepaired { .. }, Some(table)) => Request::MarkRepaired { table },
            (Operation::Stones { partition, .. }, Some(table)) => Request::Stones {
                table,
                partition_key: partition_key(*partition),
            },
            (Operation::Read { .. }, Some(table)) => Request::Read(self.read(operation, table)?),
            (altered, Some(table)) if altered.is_schema_change() => {
                Request::Change(change_of(altered, table)?)
            }
            (write, Some(table)) => Request::Write(WriteStatement {
                table,
                partition_key: partition_key(write.partition()?),
                timestamp: write.timestamp()?,
                ttl_seconds: write.ttl_seconds(),
                target: self.target(write)?,
            }),
        })
    }

    fn read(&self, operation: &Operation, table: TableName) -> Option<ReadStatement> {
        let Operation::Read {
            table: number,
            partition,
            slice,
            order,
            limit,
        } = operation
        else {
            return None;
        };
        let (lower, upper) = self.edges(*number, slice);
        Some(ReadStatement {
            table,
            partition_key: partition_key(*partition),
            columns: None,
            lower,
            upper,
            order_by: order.map(|order| OrderBy {
                column: "ck0".into(),
                order: key_order(order),
            }),
            limit: *limit,
        })
    }

    fn target(&self, operation: &Operation) -> Option<WriteTarget> {
        let table = operation.table()?;
        let clustering = |row: &Option<Vec<Scalar>>| {
            row.as_ref()
                .map_or_else(Vec::new, |row| self.clustering(table, row))
        };
        Some(match operation {
            Operation::Insert { row, cells, .. } => WriteTarget::Insert {
                clustering: clustering(row),
                columns: self.cells(table, cells),
            },
            Operation::Update {
                row,
                cells,
                elements,
                ..
            } => WriteTarget::Update {
                clustering: clustering(row),
                columns: self.cells(table, cells),
                elements: self.elements(table, elements),
            },
            Operation::DeleteCells {
                row,
                columns,
                elements,
                ..
            } => self.deletion(table, clustering(row), columns, elements),
            Operation::DeleteRow { row, .. } => WriteTarget::DeleteRow {
                clustering: self.clustering(table, row),
            },
            Operation::DeleteRange { slice, .. } => {
                let (lower, upper) = self.edges(table, slice);
                WriteTarget::DeleteRange { lower, upper }
            }
            Operation::DeletePartition { .. } => WriteTarget::DeletePartition,
            _ => return None,
        })
    }

    fn clustering(&self, table: TableNumber, values: &[Scalar]) -> Vec<NamedValue> {
        let columns = self.clustering_of(table);
        let named = values.iter().enumerate().map(|(index, value)| {
            let scalar_type = columns.get(index).map(|column| column.0);
            (text(format_args!("ck{index}")), scalar(value, scalar_type))
        });
        named.collect()
    }

    fn cells(
        &self,
        table: TableNumber,
        cells: &BTreeMap<Column, Value>,
    ) -> Vec<(Text, Option<KeyValue>)> {
        let typed_cell = |(column, cell): (&Column, &Value)| {
            let column_type = self.column_type(table, *column);
            (text(column), Some(value(cell, column_type)))
        };
        cells.iter().map(typed_cell).collect()
    }

    fn elements(
        &self,
        table: TableNumber,
        elements: &BTreeMap<Column, Change>,
    ) -> Vec<(Text, ElementChange)> {
        let typed_change = |(column, element): (&Column, &Change)| {
            let column_type = self.column_type(table, *column);
            (text(column), change(element, column_type))
        };
        elements.iter().map(typed_change).collect()
    }

    /// Entries of maps are deleted by an update that removes them, and columns beside them by one that
    /// sets them to null: it is the same.
    fn deletion(
        &self,
        table: TableNumber,
        clustering: Vec<NamedValue>,
        columns: &BTreeSet<Column>,
        elements: &BTreeMap<Column, Vec<Scalar>>,
    ) -> WriteTarget {
        let names = columns.iter().map(text);
        if elements.is_empty() {
            let columns = names.collect();
            return WriteTarget::DeleteCells {
                clustering,
                columns,
            };
        }
        let removed = |(column, keys): (&Column, &Vec<Scalar>)| {
            let column_type = self.column_type(table, *column);
            let gone = Change::Remove(keys.clone());
            (text(column), change(&gone, column_type))
        };
        WriteTarget::Update {
            clustering,
            columns: names.map(|name| (name, None)).collect(),
            elements: elements.iter().map(removed).collect(),
        }
    }

    fn edges(&self, table: TableNumber, slice: &Slice) -> (Option<KeyEdge>, Option<KeyEdge>) {
        let edge = |edge: &Edge| {
            let (last, inclusive) = match edge {
                Edge::Open if slice.prefix.is_empty() => return None,
                Edge::Open => (None, true),
                Edge::Inclusive(value) => (Some(value), true),
                Edge::Exclusive(value) => (Some(value), false),
            };
            let values: Vec<Scalar> = slice.prefix.iter().chain(last).cloned().collect();
            Some(KeyEdge {
                values: self.clustering(table, &values),
                inclusive,
            })
        };
        (edge(&slice.from), edge(&slice.to))
    }
}

fn change_of(operation: &Operation, table: TableName) -> Option<SchemaChange> {
    Some(match operation {
        Operation::CreateTable { shape, .. } => SchemaChange::CreateTable {
            name: table,
            columns: definitions(shape),
            gc_grace_seconds: shape
                .gc_grace_seconds
                .unwrap_or(Table::GC_GRACE_SECONDS_DEFAULT),
            purge: purge(shape.purge),
        },
        Operation::AddColumn {
            column,
            column_type,
            ..
        } => SchemaChange::AddColumn {
            table,
            column: cell(*column, *column_type),
        },
        Operation::DropColumn {
            column,
            dropped_micros,
            ..
        } => SchemaChange::DropColumn {
            table,
            column: text(column),
            dropped_micros: *dropped_micros,
        },
        Operation::DropTable { .. } => SchemaChange::DropTable { table },
        _ => return None,
    })
}

fn purge(purge: Purge) -> PurgeOptions {
    PurgeOptions {
        only_purge_repaired_tombstones: purge.only_repaired,
        provide_overlapping_tombstones: match purge.overlapping {
            Overlapping::None => TombstoneOption::None,
            Overlapping::Row => TombstoneOption::Row,
            Overlapping::Cell => TombstoneOption::Cell,
        },
    }
}

fn table_name(table: TableNumber) -> TableName {
    TableName::new(KEYSPACE, &table.to_string())
}

fn partition_key(partition: i32) -> Vec<NamedValue> {
    vec![(PARTITION_KEY.into(), KeyValue::Int(partition))]
}

fn key_order(order: Order) -> KeyOrder {
    match order {
        Order::Asc => KeyOrder::Ascending,
        Order::Desc => KeyOrder::Descending,
    }
}

fn cell(column: Column, column_type: ColumnType) -> ColumnDefinition {
    ColumnDefinition {
        name: text(column),
        data_type: data_type_of(column_type),
        kind: match column {
            Column::Static(_) => ColumnKind::Static,
            Column::Regular(_) => ColumnKind::Regular,
        },
    }
}

fn definitions(shape: &Shape) -> Vec<ColumnDefinition> {
    let partition_key = ColumnDefinition {
        name: PARTITION_KEY.into(),
        data_type: DataType::Int.into(),
        kind: ColumnKind::PartitionKey,
    };
    let clustering = shape
        .clustering
        .iter()
        .enumerate()
        .map(|(index, column)| ColumnDefinition {
            name: text(format_args!("ck{index}")),
            data_type: data_type(column.0).into(),
            kind: ColumnKind::Clustering(key_order(column.1)),
        });
    let cells = shape
        .columns()
        .map(|(column, column_type)| cell(column, column_type));
    std::iter::once(partition_key)
        .chain(clustering)
        .chain(cells)
        .collect()
}
