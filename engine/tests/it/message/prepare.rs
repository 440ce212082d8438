//! Steps tests of preparing: what a statement becomes, and why one is refused.

use cenotaph_engine::keys::{DecoratedKey, Order, PartitionKey, Slice, Value};
use cenotaph_engine::message::{
    OrderBy, ReadStatement, StatementError, WriteStatement, WriteTarget,
};
use cenotaph_engine::read::{Columns, ReadCommand};
use cenotaph_engine::rows::{Cell, DeletionTime, Liveness, Mutation, Partition};
use cenotaph_engine::schema::TableName;

use super::support::{edge, ids, insert, int, select, set, write};
use crate::read::support::{schema, table};
use crate::rows::support::{S, V, W, after, at, before};

/// The wall second at which statements are prepared.
const NOW: u32 = 500;

fn prepared(statement: &WriteStatement) -> Mutation {
    let mutation = statement.prepare(&schema(), NOW, &ids()).unwrap();
    assert!(mutation.update.is_canonical());
    mutation
}

fn update(target: WriteTarget) -> Partition {
    prepared(&write(target)).update
}

fn refused(statement: &WriteStatement) -> String {
    statement
        .prepare(&schema(), NOW, &ids())
        .unwrap_err()
        .to_string()
}

fn refused_target(target: WriteTarget) -> String {
    refused(&write(target))
}

fn command(statement: &ReadStatement) -> Result<ReadCommand, StatementError> {
    statement.prepare(&schema(), NOW)
}

const DELETION: DeletionTime = DeletionTime {
    timestamp: 1_000,
    local_deletion_seconds: NOW,
};

fn plain(value: &'static str) -> Cell {
    Cell::plain(1_000, value.into())
}

#[test]
fn an_insert_becomes_a_marker_and_cells_with_tombstones_for_nulls() {
    let mutation = prepared(&insert(&[("w", None), ("v", Some("x")), ("s", Some("y"))]));
    let key = PartitionKey(Value::Int(1).encode());
    assert_eq!(mutation.key, DecoratedKey::new(key));
    assert_eq!(mutation.table, table(&schema()).id);
    let row = mutation.update.rows.get(&at(2)).unwrap();
    assert_eq!(row.liveness, Some(Liveness::plain(1_000)));
    assert_eq!(
        row.cells,
        [
            (V.into(), plain("x")),
            (W.into(), Cell::tombstone(1_000, NOW))
        ]
    );
    assert_eq!(mutation.update.static_row.cells, [(S.into(), plain("y"))]);
}

#[test]
fn an_insert_of_static_columns_alone_leaves_no_row() {
    let update = update(WriteTarget::Insert {
        clustering: vec![],
        columns: set(&[("s", Some("y"))]),
    });
    assert!(update.rows.is_empty());
    assert_eq!(update.static_row.liveness, None);
    assert_eq!(update.static_row.cells, [(S.into(), plain("y"))]);
}

#[test]
fn an_update_becomes_cells_without_a_marker() {
    let columns = set(&[("v", Some("x"))]);
    let update = update(WriteTarget::Update {
        clustering: vec![int("ck", 2)],
        columns,
        elements: vec![],
    });
    assert_eq!(update.rows.get(&at(2)).unwrap().liveness, None);
    assert_eq!(
        update.rows.get(&at(2)).unwrap().cells,
        [(V.into(), plain("x"))]
    );
}

#[test]
fn a_ttl_runs_from_the_nodes_wall_second() {
    let mutation = prepared(&WriteStatement {
        ttl_seconds: Some(60),
        ..insert(&[("v", Some("x"))])
    });
    let row = mutation.update.rows.get(&at(2)).unwrap();
    assert_eq!(row.liveness, Some(Liveness::expiring(1_000, 60, 560)));
    assert_eq!(
        row.cells,
        [(V.into(), Cell::expiring(1_000, 60, 560, "x".into()))]
    );
    let forever = WriteStatement {
        ttl_seconds: Some(0),
        ..insert(&[])
    };
    assert_eq!(
        prepared(&forever).update.rows.get(&at(2)).unwrap().liveness,
        Some(Liveness::plain(1_000))
    );
}

#[test]
fn deletes_become_tombstones_of_their_reach() {
    let row = || vec![int("ck", 2)];
    let cells = update(WriteTarget::DeleteCells {
        clustering: row(),
        columns: vec!["v".into()],
    });
    assert_eq!(
        cells.rows.get(&at(2)).unwrap().cells,
        [(V.into(), Cell::tombstone(1_000, NOW))]
    );
    let one = update(WriteTarget::DeleteRow { clustering: row() });
    assert_eq!(one.rows.get(&at(2)).unwrap().deletion, Some(DELETION));
    let all = update(WriteTarget::DeletePartition);
    assert_eq!(all.deletion, Some(DELETION));
    let range = update(WriteTarget::DeleteRange {
        lower: edge(&row(), false),
        upper: edge(&[int("ck", 5)], true),
    });
    assert_eq!(
        (&range.ranges[0].start, &range.ranges[0].end),
        (&after(2), &after(5))
    );
    assert_eq!(range.ranges[0].deletion, DELETION);
}

#[test]
fn a_range_deletion_with_crossed_edges_changes_nothing() {
    let five = [int("ck", 5)];
    let crossed = WriteTarget::DeleteRange {
        lower: edge(&five, true),
        upper: edge(&five, false),
    };
    assert!(update(crossed).is_empty());
}

#[test]
fn unknown_tables_and_columns_are_named() {
    let elsewhere = WriteStatement {
        table: TableName::new("k", "u"),
        ..insert(&[])
    };
    assert_eq!(refused(&elsewhere), "table k.u does not exist");
    assert_eq!(
        refused(&insert(&[("x", None)])),
        "table k.t has no column x"
    );
    let wrong_key = WriteStatement {
        partition_key: vec![int("x", 1)],
        ..insert(&[])
    };
    assert_eq!(refused(&wrong_key), "table k.t has no column x");
}

#[test]
fn a_key_needs_all_its_columns_in_order() {
    let needs = |got: &str| format!("k.t needs its key columns (pk), given are ({got})");
    let keyed = |partition_key| {
        refused(&WriteStatement {
            partition_key,
            ..insert(&[])
        })
    };
    assert_eq!(keyed(vec![]), needs(""));
    assert_eq!(keyed(vec![int("ck", 1)]), needs("ck"));
    assert_eq!(keyed(vec![int("pk", 1), int("ck", 1)]), needs("pk, ck"));
    assert_eq!(
        refused_target(WriteTarget::DeleteRow { clustering: vec![] }),
        "k.t needs its key columns (ck), given are ()"
    );
    let twice = [int("ck", 1), int("ck", 2)];
    assert_eq!(
        refused_target(WriteTarget::DeleteRange {
            lower: edge(&twice, true),
            upper: None
        }),
        "k.t needs its key columns (ck), given are (ck, ck)"
    );
}

#[test]
fn values_have_their_columns_type() {
    let key = ("pk".into(), Value::BigInt(1));
    let wrong_key = WriteStatement {
        partition_key: vec![key],
        ..insert(&[])
    };
    assert_eq!(refused(&wrong_key), "column pk is int, the value is bigint");
    let columns = vec![("v".into(), Some(Value::Int(1)))];
    let wrong_cell = WriteTarget::Insert {
        clustering: vec![int("ck", 2)],
        columns,
    };
    assert_eq!(
        refused_target(wrong_cell),
        "column v is text, the value is int"
    );
}

#[test]
fn cells_belong_to_columns_that_have_some() {
    assert_eq!(
        refused(&insert(&[("pk", None)])),
        "column pk is part of the primary key"
    );
    assert_eq!(
        refused(&insert(&[("v", None), ("v", None)])),
        "column v is named twice"
    );
    let update = |clustering: &[_], columns: &[_]| {
        let (clustering, columns) = (clustering.to_vec(), set(columns));
        refused_target(WriteTarget::Update {
            clustering,
            columns,
            elements: vec![],
        })
    };
    let row = [int("ck", 2)];
    assert_eq!(
        update(&[], &[("v", None)]),
        "column v belongs to a row, and no row is named"
    );
    assert_eq!(
        update(&row, &[("s", None)]),
        "a row is named, and only static columns are changed"
    );
    assert_eq!(update(&row, &[]), "no column is named");
    let nothing = WriteTarget::Insert {
        clustering: vec![],
        columns: vec![],
    };
    assert_eq!(refused_target(nothing), "no column is named");
}

#[test]
fn times_that_cannot_be_are_refused() {
    let reserved = WriteStatement {
        timestamp: i64::MIN,
        ..insert(&[])
    };
    assert_eq!(
        refused(&reserved),
        "timestamp -9223372036854775808 is reserved"
    );
    let too_long = WriteStatement {
        ttl_seconds: Some(630_720_001),
        ..insert(&[])
    };
    assert_eq!(
        refused(&too_long),
        "a TTL of 630720001 s, the maximum is 630720000 s"
    );
    let deletion = WriteStatement {
        ttl_seconds: Some(5),
        ..write(WriteTarget::DeletePartition)
    };
    assert_eq!(refused(&deletion), "a deletion has no TTL");
    let late = WriteStatement {
        ttl_seconds: Some(60),
        ..insert(&[])
    };
    assert_eq!(
        late.prepare(&schema(), u32::MAX - 60, &ids())
            .unwrap_err()
            .to_string(),
        "a TTL of 60 s from second 4294967235 ends after the last second"
    );
    assert!(late.prepare(&schema(), u32::MAX - 61, &ids()).is_ok());
}

#[test]
fn a_range_deletion_needs_an_edge_with_values() {
    let none = "a range of rows needs an edge, and an edge needs a value";
    assert_eq!(
        refused_target(WriteTarget::DeleteRange {
            lower: None,
            upper: None
        }),
        none
    );
    assert_eq!(
        refused_target(WriteTarget::DeleteRange {
            lower: edge(&[], true),
            upper: None
        }),
        none
    );
}

#[test]
fn a_select_without_edges_reads_the_whole_partition() {
    let command = command(&select()).unwrap();
    assert!(command.is_whole_partition());
    assert!(!command.reversed);
    assert_eq!((command.limit, command.now_seconds), (None, NOW));
    assert_eq!(command.columns, Columns::All);
}

#[test]
fn a_selects_clauses_become_slice_direction_limit_and_columns() {
    let order = |order| {
        Some(OrderBy {
            column: "ck".into(),
            order,
        })
    };
    let statement = ReadStatement {
        columns: Some(vec!["w".into(), "s".into()]),
        lower: edge(&[int("ck", 2)], true),
        upper: edge(&[int("ck", 4)], false),
        order_by: order(Order::Descending),
        limit: Some(3),
        ..select()
    };
    let command = command(&statement).unwrap();
    assert_eq!(
        command.slice,
        Slice {
            start: before(2),
            end: before(4)
        }
    );
    assert!(command.reversed);
    assert_eq!(command.limit, Some(3));
    assert_eq!(command.columns, Columns::Ids(vec![W, S]));
    let forward = ReadStatement {
        order_by: order(Order::Ascending),
        ..statement
    };
    assert!(!forward.prepare(&schema(), NOW).unwrap().reversed);
}

#[test]
fn a_select_that_cannot_be_is_refused() {
    let refused = |statement| command(&statement).unwrap_err().to_string();
    assert_eq!(
        refused(ReadStatement {
            limit: Some(0),
            ..select()
        }),
        "a limit is at least 1"
    );
    let by_value = OrderBy {
        column: "v".into(),
        order: Order::Ascending,
    };
    assert_eq!(
        refused(ReadStatement {
            order_by: Some(by_value),
            ..select()
        }),
        "rows are ordered by the first clustering column, not by v"
    );
    assert_eq!(
        refused(ReadStatement {
            columns: Some(vec!["ck".into()]),
            ..select()
        }),
        "column ck is part of the primary key"
    );
}
