//! Vocabulary of short words for operations, all on partition 0 of table `t0`.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph::history::{PartitionSeen, RowSeen, StoneEdge, StoneSeen, TableSeen};
use cenotaph::plan::{
    ClusteringColumn, Column, Edge, Operation, Order, Purge, Scalar, ScalarType, Shape, Slice,
    TableNumber, Value,
};

pub(crate) const T0: TableNumber = TableNumber(0);
pub(crate) const S0: Column = Column::Static(0);
pub(crate) const V0: Column = Column::Regular(0);
pub(crate) const V1: Column = Column::Regular(1);
pub(crate) const V2: Column = Column::Regular(2);

pub(crate) fn shape() -> Shape {
    shape_ordered(Order::Asc)
}

pub(crate) fn shape_ordered(order: Order) -> Shape {
    Shape {
        clustering: vec![ClusteringColumn(ScalarType::Int, order)],
        statics: vec![ScalarType::Text.into()],
        regulars: vec![ScalarType::Text.into(), ScalarType::Text.into()],
        gc_grace_seconds: None,
        purge: Purge::default(),
    }
}

pub(crate) fn text(value: &str) -> Scalar {
    Scalar::Text(value.to_owned())
}

pub(crate) fn key(value: i64) -> Vec<Scalar> {
    vec![Scalar::Integer(value)]
}

fn cells(of: &[(Column, &str)]) -> BTreeMap<Column, Value> {
    of.iter()
        .map(|(column, value)| (*column, text(value).into()))
        .collect()
}

pub(crate) fn create() -> Operation {
    Operation::CreateTable {
        table: T0,
        shape: shape(),
    }
}

pub(crate) fn drop_table() -> Operation {
    Operation::DropTable { table: T0 }
}

pub(crate) fn add_v2() -> Operation {
    Operation::AddColumn {
        table: T0,
        column: V2,
        column_type: ScalarType::Text.into(),
    }
}

pub(crate) fn insert(row: i64, of: &[(Column, &str)], timestamp: i64) -> Operation {
    Operation::Insert {
        table: T0,
        partition: 0,
        row: Some(key(row)),
        cells: cells(of),
        timestamp,
        ttl_seconds: None,
    }
}

pub(crate) fn update(row: i64, of: &[(Column, &str)], timestamp: i64) -> Operation {
    Operation::Update {
        table: T0,
        partition: 0,
        row: Some(key(row)),
        cells: cells(of),
        elements: BTreeMap::new(),
        timestamp,
        ttl_seconds: None,
    }
}

pub(crate) fn update_static(value: &str, timestamp: i64) -> Operation {
    Operation::Update {
        table: T0,
        partition: 0,
        row: None,
        cells: cells(&[(S0, value)]),
        elements: BTreeMap::new(),
        timestamp,
        ttl_seconds: None,
    }
}

pub(crate) fn delete_cell(row: i64, column: Column, timestamp: i64) -> Operation {
    let columns = BTreeSet::from([column]);
    Operation::DeleteCells {
        table: T0,
        partition: 0,
        row: Some(key(row)),
        columns,
        elements: BTreeMap::new(),
        timestamp,
    }
}

pub(crate) fn delete_row(row: i64, timestamp: i64) -> Operation {
    Operation::DeleteRow {
        table: T0,
        partition: 0,
        row: key(row),
        timestamp,
    }
}

pub(crate) fn delete_range(from: Edge, to: Edge, timestamp: i64) -> Operation {
    let slice = Slice {
        prefix: Vec::new(),
        from,
        to,
    };
    Operation::DeleteRange {
        table: T0,
        partition: 0,
        slice,
        timestamp,
    }
}

pub(crate) fn delete_partition(timestamp: i64) -> Operation {
    Operation::DeletePartition {
        table: T0,
        partition: 0,
        timestamp,
    }
}

pub(crate) fn from(value: i64) -> Edge {
    Edge::Inclusive(Scalar::Integer(value))
}

pub(crate) fn beyond(value: i64) -> Edge {
    Edge::Exclusive(Scalar::Integer(value))
}

pub(crate) fn read() -> Operation {
    read_with(Slice::default(), None, None)
}

pub(crate) fn read_with(slice: Slice, order: Option<Order>, limit: Option<u32>) -> Operation {
    Operation::Read {
        table: T0,
        partition: 0,
        slice,
        order,
        limit,
    }
}

pub(crate) fn seen_row(clustering: i64, of: &[(Column, &str)]) -> RowSeen {
    RowSeen {
        clustering: key(clustering),
        cells: cells(of),
    }
}

pub(crate) fn rows(rows: &[RowSeen]) -> PartitionSeen {
    PartitionSeen {
        statics: BTreeMap::new(),
        rows: rows.to_vec(),
    }
}

pub(crate) fn statics(value: &str, of: &[RowSeen]) -> PartitionSeen {
    PartitionSeen {
        statics: cells(&[(S0, value)]),
        rows: of.to_vec(),
    }
}

pub(crate) fn t0_seen(columns: &[Column]) -> TableSeen {
    TableSeen {
        table: T0,
        columns: columns.iter().copied().collect(),
    }
}

pub(crate) fn create_with_grace(seconds: u32) -> Operation {
    let gc_grace_seconds = Some(seconds);
    let shape = Shape {
        gc_grace_seconds,
        ..shape()
    };
    Operation::CreateTable { table: T0, shape }
}

/// The write with a time to live.
pub(crate) fn expiring(mut what: Operation, seconds: u32) -> Operation {
    match &mut what {
        Operation::Insert { ttl_seconds, .. } | Operation::Update { ttl_seconds, .. } => {
            *ttl_seconds = Some(seconds);
        }
        other => panic!("{other} does not expire"),
    }
    what
}

pub(crate) fn add(column: Column) -> Operation {
    Operation::AddColumn {
        table: T0,
        column,
        column_type: ScalarType::Text.into(),
    }
}

pub(crate) fn drop_column(column: Column, dropped_micros: i64) -> Operation {
    Operation::DropColumn {
        table: T0,
        column,
        dropped_micros,
    }
}

pub(crate) fn compact() -> Operation {
    Operation::Compact { table: T0 }
}

pub(crate) fn truncate() -> Operation {
    Operation::Truncate { table: T0 }
}

pub(crate) fn mark_repaired() -> Operation {
    Operation::MarkRepaired { table: T0 }
}

pub(crate) fn stones() -> Operation {
    Operation::Stones {
        table: T0,
        partition: 0,
    }
}

pub(crate) fn stone(timestamp: i64, second: u32) -> StoneSeen {
    StoneSeen { timestamp, second }
}

/// Just before or just after row `value`; the partition's ends have none.
pub(crate) fn edge(value: Option<i64>, is_after: bool) -> StoneEdge {
    StoneEdge {
        values: value.map_or_else(Vec::new, key),
        is_after,
    }
}
