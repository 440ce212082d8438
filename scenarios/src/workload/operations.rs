//! Steps from one record's bytes to one operation: the kind, the table, the place in it, and the
//! write time, each drawn in this order, so that equal bytes mean equal things.

use std::collections::{BTreeMap, BTreeSet};

use super::pools;
use super::swarm::{Kind, SchemaKind, Swarm};
use super::values;
use crate::plan::{
    ClusteringColumn, Column, Draw, Operation, OperationRef, Order, Scalar, ScalarType, Shape,
    Slice, TABLE_SIZE, TableNumber,
};

/// Tables of a run by number, and what makes its operations.
pub(super) struct Maker<'a> {
    pub(super) swarm: &'a Swarm,
    pub(super) shapes: Vec<Shape>,
}

/// The type of every added column.
pub(super) const ADDED_TYPE: ScalarType = ScalarType::Text;

/// The shapes of all tables, each by bytes of its own.
pub(super) fn shapes(bytes: &[u8]) -> Vec<Shape> {
    bytes
        .as_chunks::<TABLE_SIZE>()
        .0
        .iter()
        .map(|own| shape(&mut Draw::new(own)))
        .collect()
}

fn shape(draw: &mut Draw<'_>) -> Shape {
    let types = [ScalarType::Text, ScalarType::BigInt, ScalarType::Blob];
    let clustering_types = [
        ClusteringColumn(ScalarType::Int, Order::Asc),
        ClusteringColumn(ScalarType::Int, Order::Desc),
        ClusteringColumn(ScalarType::Text, Order::Asc),
        ClusteringColumn(ScalarType::Text, Order::Desc),
        ClusteringColumn(ScalarType::BigInt, Order::Asc),
        ClusteringColumn(ScalarType::BigInt, Order::Desc),
    ];
    // One byte a decision: four bytes, so the last decision shares its byte.
    let clustering_count = draw.weighted(&[(5, 1), (4, 2), (1, 0)]);
    let mixed = draw.within(0, 255) as usize;
    let second = draw.below(6);
    let last = draw.within(0, 255) as usize;
    let both = [clustering_types[mixed % 6], clustering_types[second]];
    let statics_count = if clustering_count == 0 {
        0
    } else {
        mixed / 6 % 2
    };
    let regulars_count = 1 + mixed / 12 % 3;
    Shape {
        clustering: both[..clustering_count].to_vec(),
        statics: vec![types[last % 3]; statics_count],
        regulars: [
            types[last / 3 % 3],
            types[last / 9 % 3],
            types[last / 27 % 3],
        ][..regulars_count]
            .to_vec(),
        gc_grace_seconds: None,
    }
}

impl Maker<'_> {
    /// The operation that a record means, as operation `name`.
    pub(super) fn operation(&self, name: OperationRef, bytes: &[u8]) -> Operation {
        let draw = &mut Draw::new(&bytes[1..]);
        let kind = draw.weighted(&self.swarm.kinds);
        let table = self.table(draw, name.index as usize);
        let partition = i32::try_from(draw.below(self.swarm.partitions_count)).expect("at most 3");
        let timestamp = self.timestamp(draw, name);
        let shape = self.shape(table);
        match kind {
            Kind::Insert => self.insert(draw, name, table, partition, timestamp),
            Kind::Update => self.update(draw, name, table, partition, timestamp),
            Kind::DeleteCells => self.delete_cells(draw, table, partition, timestamp),
            Kind::DeleteRow if !shape.clustering.is_empty() => {
                let row = pools::row(draw, shape, self.swarm.pool_count);
                Operation::DeleteRow {
                    table,
                    partition,
                    row,
                    timestamp,
                }
            }
            Kind::DeleteRange => match pools::range(draw, shape, self.swarm.pool_count) {
                Some(slice) => Operation::DeleteRange {
                    table,
                    partition,
                    slice,
                    timestamp,
                },
                None => Operation::DeletePartition {
                    table,
                    partition,
                    timestamp,
                },
            },
            Kind::DeleteRow | Kind::DeletePartition => Operation::DeletePartition {
                table,
                partition,
                timestamp,
            },
            Kind::Read => self.read(draw, table, partition),
            Kind::Flush => Operation::Flush { table },
            Kind::Describe => Operation::Describe,
            Kind::CreateAgain => self.create(table),
            Kind::Pause => Operation::Pause {
                millis: draw.within(1, 40),
            },
        }
    }

    pub(super) fn shape(&self, table: TableNumber) -> &Shape {
        &self.shapes[usize::from(table.0)]
    }

    /// Mostly a hot table; else one that is likely there: the schema's client creates them in
    /// order, slower than rows are written.
    fn table(&self, draw: &mut Draw<'_>, index: usize) -> TableNumber {
        let is_hot = !draw.chance(1, 6);
        let any = draw.within(0, 255) as usize;
        let created_count = (index / 6 + 1).min(self.swarm.tables_count);
        let choices_count = if is_hot {
            self.swarm.hot_count
        } else {
            created_count
        };
        TableNumber(u16::try_from(any % choices_count).expect("at most 30 tables"))
    }

    /// `CREATE TABLE`, with the one shape that the table has in this run.
    pub(super) fn create(&self, table: TableNumber) -> Operation {
        let shape = self.shape(table).clone();
        Operation::CreateTable { table, shape }
    }

    fn timestamp(&self, draw: &mut Draw<'_>, name: OperationRef) -> i64 {
        let extreme = draw.within(0, 127);
        let pool = i64::from(draw.within(0, 255));
        match (extreme, self.swarm.timestamps_count) {
            (127, _) => i64::MAX,
            (126, _) => -5,
            (125, _) => 0,
            (_, 0) => 1_000 + i64::from(name.index) * 10 + i64::from(name.client),
            (_, count) => 1 + pool % count,
        }
    }

    /// Some of the columns, at least one; by one bit each. Now and then one that is yet to be added.
    fn columns(
        &self,
        draw: &mut Draw<'_>,
        shape: &Shape,
        is_static: bool,
    ) -> Vec<(Column, ScalarType)> {
        let mask = draw.within(0, 255);
        let mut all: Vec<(Column, ScalarType)> = shape
            .columns()
            .filter(|(column, _)| matches!(column, Column::Static(_)) == is_static)
            .collect();
        if !is_static && mask >> 6 == 3 {
            all.extend(self.added_column(shape).map(|column| (column, ADDED_TYPE)));
        }
        let some: Vec<_> = (0..)
            .zip(&all)
            .filter(|(bit, _)| mask >> bit & 1 == 0)
            .map(|(_, column)| *column)
            .collect();
        if some.is_empty() {
            all[..1].to_vec()
        } else {
            some
        }
    }

    /// The one column that is ever added to a table; none in a run that adds no columns.
    pub(super) fn added_column(&self, shape: &Shape) -> Option<Column> {
        let is_on =
            |(weight, kind): &(u32, SchemaKind)| *weight > 0 && *kind == SchemaKind::AddColumn;
        let index = u8::try_from(shape.regulars.len()).expect("at most 3");
        self.swarm
            .schema_kinds
            .iter()
            .any(is_on)
            .then_some(Column::Regular(index))
    }

    fn cells(
        &self,
        draw: &mut Draw<'_>,
        name: OperationRef,
        columns: Vec<(Column, ScalarType)>,
    ) -> BTreeMap<Column, Scalar> {
        let long = draw.chance(1, 8);
        let padding = draw.within(0, self.swarm.padding_max) as usize * usize::from(long);
        columns
            .into_iter()
            .map(|(column, scalar_type)| {
                (column, values::value(name, column, scalar_type, padding))
            })
            .collect()
    }

    pub(super) fn insert(
        &self,
        draw: &mut Draw<'_>,
        name: OperationRef,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        let place = draw.below(8);
        let row = pools::row(draw, shape, self.swarm.pool_count);
        let regulars = self.columns(draw, shape, false);
        let (row, columns) = match (place, shape.statics.is_empty()) {
            // A marker and nothing else.
            (1, _) => (Some(row), Vec::new()),
            (2, false) => (None, self.columns(draw, shape, true)),
            (3 | 4, false) => (
                Some(row),
                [self.columns(draw, shape, true), regulars].concat(),
            ),
            _ => (Some(row), regulars),
        };
        let cells = self.cells(draw, name, columns);
        Operation::Insert {
            table,
            partition,
            row,
            cells,
            timestamp,
            ttl_seconds: None,
        }
    }

    fn update(
        &self,
        draw: &mut Draw<'_>,
        name: OperationRef,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        let only_static = draw.chance(1, 5) && !shape.statics.is_empty();
        let row = pools::row(draw, shape, self.swarm.pool_count);
        let columns = self.columns(draw, shape, only_static);
        let cells = self.cells(draw, name, columns);
        Operation::Update {
            table,
            partition,
            row: (!only_static).then_some(row),
            cells,
            timestamp,
            ttl_seconds: None,
        }
    }

    fn delete_cells(
        &self,
        draw: &mut Draw<'_>,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        let only_static = draw.chance(1, 4) && !shape.statics.is_empty();
        let row = pools::row(draw, shape, self.swarm.pool_count);
        let columns = self.columns(draw, shape, only_static);
        let columns: BTreeSet<Column> = columns.into_iter().map(|(column, _)| column).collect();
        Operation::DeleteCells {
            table,
            partition,
            row: (!only_static).then_some(row),
            columns,
            timestamp,
        }
    }

    fn read(&self, draw: &mut Draw<'_>, table: TableNumber, partition: i32) -> Operation {
        let shape = self.shape(table);
        let extent = draw.weighted(&[(4, 0_u8), (3, 1), (1, 2)]);
        let limit = draw.weighted(&[(3, None), (1, Some(1)), (1, Some(2)), (1, Some(3))]);
        let order = draw.weighted(&[(2, None), (1, Some(Order::Asc)), (1, Some(Order::Desc))]);
        let pool = self.swarm.pool_count;
        let slice = match extent {
            0 => Slice::default(),
            1 => pools::range(draw, shape, pool).unwrap_or_default(),
            _ => Slice {
                prefix: pools::row(draw, shape, pool),
                ..Slice::default()
            },
        };
        let order = order.filter(|_| !shape.clustering.is_empty());
        Operation::Read {
            table,
            partition,
            slice,
            order,
            limit,
        }
    }
}
