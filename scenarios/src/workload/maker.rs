//! Steps from bytes to one statement: the row, the columns, the values, the rest, each drawn in this
//! order, so that equal bytes mean equal things.

use std::collections::{BTreeMap, BTreeSet};

use super::elements::{self, Writer, Written};
use super::pools;
use super::tables::added_type;
use crate::plan::{
    Column, ColumnType, Draw, Operation, OperationRef, Order, Shape, Slice, TableNumber, Value,
};

/// What statements of one run choose from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pools {
    pub(super) partitions_count: usize,
    /// Values that a clustering column takes.
    pub(super) pool_count: usize,
    /// Longest padding of a value.
    pub(super) padding_max: u32,
    /// Whether each table has a column that it is not created with.
    pub(super) adds_columns: bool,
    /// In how many of 4 cases what is written expires.
    pub(super) ttl_quarters: u32,
}

/// Times to live, in seconds: short enough to end within a run.
const TTL_SECONDS: [u32; 6] = [1, 2, 3, 1, 5, 4];

/// Tables of a run by number, and what makes its statements.
pub(super) struct Maker {
    pub(super) pools: Pools,
    pub(super) shapes: Vec<Shape>,
}

impl Maker {
    pub(super) fn shape(&self, table: TableNumber) -> &Shape {
        &self.shapes[usize::from(table.0)]
    }

    /// `CREATE TABLE`, with the one shape that the table has in this run.
    pub(super) fn create(&self, table: TableNumber) -> Operation {
        let shape = self.shape(table).clone();
        Operation::CreateTable { table, shape }
    }

    pub(super) fn partition(&self, draw: &mut Draw<'_>) -> i32 {
        i32::try_from(draw.below(self.pools.partitions_count)).expect("at most 3")
    }

    fn ttl(&self, draw: &mut Draw<'_>) -> Option<u32> {
        match self.pools.ttl_quarters {
            0 => None,
            quarters => {
                let expires = draw.chance(quarters, 4);
                let seconds = draw.pick(&TTL_SECONDS);
                expires.then_some(seconds)
            }
        }
    }

    /// Some of the columns, at least one; by one bit each. Now and then one that is yet to be added.
    fn columns(
        &self,
        draw: &mut Draw<'_>,
        shape: &Shape,
        is_static: bool,
    ) -> Vec<(Column, ColumnType)> {
        let mask = draw.within(0, 255);
        let mut all: Vec<(Column, ColumnType)> = shape
            .columns()
            .filter(|(column, _)| matches!(column, Column::Static(_)) == is_static)
            .collect();
        if !is_static && mask >> 6 == 3 {
            all.extend(
                self.added_column(shape)
                    .map(|column| (column, added_type(shape))),
            );
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
        let index = u8::try_from(shape.regulars.len()).expect("at most 3");
        self.pools.adds_columns.then_some(Column::Regular(index))
    }

    /// How much longer than they must be the values of one statement are.
    fn padding(&self, draw: &mut Draw<'_>) -> usize {
        let long = draw.chance(1, 8);
        draw.within(0, self.pools.padding_max) as usize * usize::from(long)
    }

    fn cells(
        &self,
        draw: &mut Draw<'_>,
        name: OperationRef,
        columns: Vec<(Column, ColumnType)>,
    ) -> BTreeMap<Column, Value> {
        let padding = self.padding(draw);
        let mut cells = BTreeMap::new();
        for (column, column_type) in columns {
            let writer = Writer { name, column };
            cells.insert(column, elements::whole(draw, writer, column_type, padding));
        }
        cells
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
        let row = pools::row(draw, shape, self.pools.pool_count);
        let regulars = self.columns(draw, shape, false);
        let (row, mut columns) = match (place, shape.statics.is_empty()) {
            // A marker and nothing else.
            (1, _) => (Some(row), Vec::new()),
            (2, false) => (None, self.columns(draw, shape, true)),
            (3 | 4, false) => (
                Some(row),
                [self.columns(draw, shape, true), regulars].concat(),
            ),
            _ => (Some(row), regulars),
        };
        // Each collection set whole ends what its elements went through.
        if row.is_some() {
            columns.retain(|(_, column_type)| column_type.many().is_none() || draw.chance(1, 3));
        }
        let cells = self.cells(draw, name, columns);
        Operation::Insert {
            table,
            partition,
            row,
            cells,
            timestamp,
            ttl_seconds: self.ttl(draw),
        }
    }

    pub(super) fn update(
        &self,
        draw: &mut Draw<'_>,
        name: OperationRef,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        let only_static = draw.chance(1, 5) && !shape.statics.is_empty();
        let row = pools::row(draw, shape, self.pools.pool_count);
        let columns = self.columns(draw, shape, only_static);
        let padding = self.padding(draw);
        let (mut cells, mut elements) = (BTreeMap::new(), BTreeMap::new());
        for (column, column_type) in columns {
            let writer = Writer { name, column };
            match elements::update(draw, writer, column_type, padding) {
                Written::Whole(value) => drop(cells.insert(column, value)),
                Written::Change(change) => drop(elements.insert(column, change)),
            }
        }
        Operation::Update {
            table,
            partition,
            row: (!only_static).then_some(row),
            cells,
            elements,
            timestamp,
            ttl_seconds: self.ttl(draw),
        }
    }

    pub(super) fn delete_cells(
        &self,
        draw: &mut Draw<'_>,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        let only_static = draw.chance(1, 4) && !shape.statics.is_empty();
        let row = pools::row(draw, shape, self.pools.pool_count);
        let (mut columns, mut elements) = (BTreeSet::new(), BTreeMap::new());
        for (column, column_type) in self.columns(draw, shape, only_static) {
            match elements::deleted(draw, column_type) {
                Some(keys) => drop(elements.insert(column, keys)),
                None => drop(columns.insert(column)),
            }
        }
        Operation::DeleteCells {
            table,
            partition,
            row: (!only_static).then_some(row),
            columns,
            elements,
            timestamp,
        }
    }

    /// A row where the table has rows of its own, else the partition.
    pub(super) fn delete_row(
        &self,
        draw: &mut Draw<'_>,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        let shape = self.shape(table);
        if shape.clustering.is_empty() {
            return Operation::DeletePartition {
                table,
                partition,
                timestamp,
            };
        }
        Operation::DeleteRow {
            table,
            partition,
            row: pools::row(draw, shape, self.pools.pool_count),
            timestamp,
        }
    }

    /// A range where the table has rows, else the partition.
    pub(super) fn delete_range(
        &self,
        draw: &mut Draw<'_>,
        table: TableNumber,
        partition: i32,
        timestamp: i64,
    ) -> Operation {
        match pools::range(draw, self.shape(table), self.pools.pool_count) {
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
        }
    }

    pub(super) fn read(
        &self,
        draw: &mut Draw<'_>,
        table: TableNumber,
        partition: i32,
    ) -> Operation {
        let shape = self.shape(table);
        let extent = draw.weighted(&[(4, 0_u8), (3, 1), (1, 2)]);
        let limit = draw.weighted(&[(3, None), (1, Some(1)), (1, Some(2)), (1, Some(3))]);
        let order = draw.weighted(&[(2, None), (1, Some(Order::Asc)), (1, Some(Order::Desc))]);
        let pool = self.pools.pool_count;
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
