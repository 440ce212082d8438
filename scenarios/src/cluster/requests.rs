//! Steps of turning a plan's operation into a request of the wire protocol: numbers become names,
//! scalars become typed values.

use std::collections::BTreeMap;

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, Order as KeyOrder, Value};
use cenotaph_engine::message::{
    Edge as KeyEdge, NamedValue, OrderBy, ReadStatement, Request, WriteStatement, WriteTarget,
};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Table, TableName, TombstoneOption,
};

use crate::plan::{
    Column, Edge, Operation, Order, Overlapping, Plan, Purge, Scalar, ScalarType, Shape, Slice,
    TableNumber,
};

/// The keyspace of all tables.
pub(super) const KEYSPACE: &str = "k";

/// The name of the partition key's only column.
const PARTITION_KEY: &str = "pk";

/// Types of the columns of a plan's tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    shapes: BTreeMap<TableNumber, Shape>,
    added: BTreeMap<(TableNumber, Column), ScalarType>,
}

impl Shapes {
    pub(super) fn of(plan: &Plan) -> Shapes {
        let mut shapes = Shapes::default();
        for operation in plan.clients.iter().flatten() {
            match operation {
                Operation::CreateTable { table, shape } => {
                    shapes.shapes.insert(*table, shape.clone());
                }
                Operation::AddColumn {
                    table,
                    column,
                    scalar_type,
                } => {
                    shapes.added.insert((*table, *column), *scalar_type);
                }
                _ => {}
            }
        }
        shapes
    }

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
            (change, Some(table)) if change.is_schema_change() => {
                Request::Change(change_of(change, table)?)
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
                column: "ck0".to_owned(),
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
            Operation::Update { row, cells, .. } => WriteTarget::Update {
                clustering: clustering(row),
                columns: self.cells(table, cells),
                elements: Vec::new(),
            },
            Operation::DeleteCells { row, columns, .. } => WriteTarget::DeleteCells {
                clustering: clustering(row),
                columns: columns.iter().map(Column::to_string).collect(),
            },
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
        let columns = self
            .shapes
            .get(&table)
            .map(|shape| &shape.clustering[..])
            .unwrap_or(&[]);
        let named = values.iter().enumerate().map(|(index, value)| {
            let scalar_type = columns
                .get(index)
                .map_or(ScalarType::BigInt, |column| column.0);
            (format!("ck{index}"), typed(value, scalar_type))
        });
        named.collect()
    }

    fn cells(
        &self,
        table: TableNumber,
        cells: &BTreeMap<Column, Scalar>,
    ) -> Vec<(String, Option<Value>)> {
        let of_shape = |column| self.shapes.get(&table)?.column_type(column);
        let typed_cell = |(column, value): (&Column, &Scalar)| {
            let scalar_type = of_shape(*column)
                .or_else(|| self.added.get(&(table, *column)).copied())
                .unwrap_or(ScalarType::BigInt);
            (column.to_string(), Some(typed(value, scalar_type)))
        };
        cells.iter().map(typed_cell).collect()
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

fn change_of(operation: &Operation, table: TableName) -> Option<Change> {
    Some(match operation {
        Operation::CreateTable { shape, .. } => Change::CreateTable {
            name: table,
            columns: definitions(shape),
            gc_grace_seconds: shape
                .gc_grace_seconds
                .unwrap_or(Table::GC_GRACE_SECONDS_DEFAULT),
            purge: purge(shape.purge),
        },
        Operation::AddColumn {
            column,
            scalar_type,
            ..
        } => Change::AddColumn {
            table,
            column: cell(*column, *scalar_type),
        },
        Operation::DropColumn {
            column,
            dropped_micros,
            ..
        } => Change::DropColumn {
            table,
            column: column.to_string(),
            dropped_micros: *dropped_micros,
        },
        Operation::DropTable { .. } => Change::DropTable { table },
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
    vec![(PARTITION_KEY.to_owned(), Value::Int(partition))]
}

fn key_order(order: Order) -> KeyOrder {
    match order {
        Order::Asc => KeyOrder::Ascending,
        Order::Desc => KeyOrder::Descending,
    }
}

fn data_type(scalar_type: ScalarType) -> DataType {
    match scalar_type {
        ScalarType::Int => DataType::Int,
        ScalarType::BigInt => DataType::BigInt,
        ScalarType::Text => DataType::Text,
        ScalarType::Blob => DataType::Blob,
    }
}

/// The value as one of a column of this type. One that does not fit goes out as what it is: the node
/// is to refuse it.
fn typed(value: &Scalar, scalar_type: ScalarType) -> Value {
    match (value, scalar_type) {
        (Scalar::Integer(number), ScalarType::Int) => {
            i32::try_from(*number).map_or(Value::BigInt(*number), Value::Int)
        }
        (Scalar::Integer(number), _) => Value::BigInt(*number),
        (Scalar::Text(text), _) => Value::Text(text.clone()),
        (Scalar::Blob(bytes), _) => Value::Blob(Bytes::copy_from_slice(bytes)),
    }
}

fn cell(column: Column, scalar_type: ScalarType) -> ColumnDefinition {
    ColumnDefinition {
        name: column.to_string(),
        data_type: data_type(scalar_type).into(),
        kind: match column {
            Column::Static(_) => ColumnKind::Static,
            Column::Regular(_) => ColumnKind::Regular,
        },
    }
}

fn definitions(shape: &Shape) -> Vec<ColumnDefinition> {
    let partition_key = ColumnDefinition {
        name: PARTITION_KEY.to_owned(),
        data_type: DataType::Int.into(),
        kind: ColumnKind::PartitionKey,
    };
    let clustering = shape
        .clustering
        .iter()
        .enumerate()
        .map(|(index, column)| ColumnDefinition {
            name: format!("ck{index}"),
            data_type: data_type(column.0).into(),
            kind: ColumnKind::Clustering(key_order(column.1)),
        });
    let cells = shape
        .columns()
        .map(|(column, scalar_type)| cell(column, scalar_type));
    std::iter::once(partition_key)
        .chain(clustering)
        .chain(cells)
        .collect()
}
