//! Steps tests of reads: which rows and values are found, in which order, up to which limit.

use bytes::Bytes;
use cenotaph_engine::error::Class;
use cenotaph_engine::keys::{DataType, Slice, Value};
use cenotaph_engine::read::{Columns, ReadResult, execute, merge};
use cenotaph_engine::rows::{Cell, ColumnId, Liveness, Partition};
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, Schema};

use super::support::{everything, keys, read, read_of, schema, table, table_name};
use crate::rows::support::{
    S, V, W, after, before, cell, deletion, expiring, partition_deletion, row_cell, row_deletion,
    row_marker, static_cell, tombstone,
};

fn text(value: &str) -> Option<Value> {
    Some(Value::Text(value.into()))
}

/// Rows of these keys, written at 10.
fn rows(keys: impl IntoIterator<Item = i32>) -> Partition {
    merge(keys.into_iter().map(|key| row_cell(key, V, cell("v", 10))))
}

#[test]
fn the_newest_value_of_each_column_is_found_in_whichever_source() {
    let sources = [
        merge([
            row_cell(1, V, cell("old", 10)),
            row_cell(1, W, cell("w", 10)),
        ]),
        row_cell(1, V, cell("new", 11)),
    ];
    let forward = read(&sources, |_| {});
    assert_eq!(forward.rows[0].clustering, [Value::Int(1)]);
    assert_eq!(forward.rows[0].columns, [(V, text("new")), (W, text("w"))]);
    let [first, second] = sources;
    assert_eq!(read(&[second, first], |_| {}), forward);
}

#[test]
fn a_dead_or_unwritten_value_is_null() {
    let sources = [
        row_marker(1, Liveness::plain(9)),
        row_cell(1, V, tombstone(10, 5)),
    ];
    assert_eq!(
        read(&sources, |_| {}).rows[0].columns,
        [(V, None), (W, None)]
    );
}

#[test]
fn expired_values_and_rows_are_not_found() {
    let source = merge([
        row_cell(1, V, expiring("v", 10, 5, 200)),
        row_cell(2, V, expiring("v", 10, 5, 300)),
    ]);
    let found = |now| {
        keys(&read(std::slice::from_ref(&source), |c| {
            c.now_seconds = now
        }))
    };
    assert_eq!(found(199), [1, 2]);
    assert_eq!(found(200), [2]);
    assert_eq!(found(300), [0_i32; 0]);
}

#[test]
fn the_limit_counts_visible_rows() {
    let sources = [rows(1..=4), row_deletion(1, deletion(20))];
    let limited = |limit, reversed| {
        keys(&read(&sources, |command| {
            command.limit = Some(limit);
            command.reversed = reversed;
        }))
    };
    assert_eq!(limited(2, false), [2, 3]);
    assert_eq!(limited(9, false), [2, 3, 4]);
    assert_eq!(limited(2, true), [4, 3]);
}

#[test]
fn a_reversed_read_skips_a_dead_last_row() {
    let sources = [rows(1..=3), row_deletion(3, deletion(20))];
    let found = read(&sources, |command| {
        command.limit = Some(1);
        command.reversed = true;
    });
    assert_eq!(keys(&found), [2]);
}

#[test]
fn only_rows_of_the_slice_are_found() {
    let found = read(&[rows(0..9)], |c| {
        c.slice = Slice {
            start: after(2),
            end: after(5),
        }
    });
    assert_eq!(keys(&found), [3, 4, 5]);
}

#[test]
fn static_columns_alone_are_a_row_of_the_whole_partition_only() {
    let whole = read(&[static_cell(cell("s", 10))], |_| {});
    assert_eq!(whole.statics, Some(vec![(S, text("s"))]));
    assert!(whole.rows.is_empty());
    assert_eq!(whole.counts.live_row_count, 1);

    let restricted = read(&[static_cell(cell("s", 10))], |c| {
        c.slice = Slice {
            start: before(1),
            end: after(1),
        };
    });
    assert_eq!(restricted, ReadResult::default());
}

#[test]
fn static_columns_stand_beside_the_rows_of_any_slice() {
    let found = read(&[static_cell(cell("s", 10)), rows([1])], |c| {
        c.slice = Slice {
            start: before(1),
            end: after(1),
        };
    });
    assert_eq!(found.statics, Some(vec![(S, text("s"))]));
    assert_eq!(keys(&found), [1]);
    let none_written = read(&[rows([1])], |_| {});
    assert_eq!(none_written.statics, Some(vec![(S, None)]));
}

#[test]
fn dead_static_columns_are_no_row() {
    let sources = [static_cell(cell("s", 10)), partition_deletion(deletion(10))];
    assert_eq!(read(&sources, |_| {}).statics, None);
}

#[test]
fn a_read_shows_the_columns_it_asked_for_in_its_order_and_finds_rows_by_all() {
    let sources = [row_cell(1, V, cell("v", 10)), row_cell(2, W, cell("w", 10))];
    let found = read(&sources, |c| c.columns = Columns::Ids(vec![W]));
    assert_eq!(keys(&found), [1, 2]);
    assert_eq!(found.rows[0].columns, [(W, None)]);
    let both = read(&sources, |c| c.columns = Columns::Ids(vec![W, V]));
    assert_eq!(both.rows[1].columns, [(W, text("w")), (V, None)]);
}

/// The table after `v` was dropped at micros 100, and perhaps added again.
fn dropped(again: bool) -> Schema {
    let drop = Change::DropColumn {
        table: table_name(),
        column: "v".into(),
        dropped_micros: 100,
    };
    let dropped = schema().apply(&drop).unwrap();
    if !again {
        return dropped;
    }
    let column = ColumnDefinition {
        name: "v".into(),
        data_type: DataType::Text.into(),
        kind: ColumnKind::Regular,
    };
    dropped
        .apply(&Change::AddColumn {
            table: table_name(),
            column,
        })
        .unwrap()
}

#[test]
fn a_value_from_before_its_column_was_dropped_stays_hidden_when_the_column_is_back() {
    let found = |timestamp| {
        let source = row_cell(1, V, cell("v", timestamp));
        keys(&read_of(&dropped(true), &[source], |_| {}))
    };
    assert_eq!(found(50), [0_i32; 0], "late, as from a replayed log");
    assert_eq!(found(100), [0_i32; 0]);
    assert_eq!(found(101), [1]);
}

#[test]
fn a_dropped_column_shows_nothing_whatever_its_timestamp() {
    let source = row_cell(1, V, cell("v", 101));
    assert!(read_of(&dropped(false), &[source], |_| {}).rows.is_empty());
}

#[test]
fn an_inserted_row_outlives_its_only_column() {
    let sources = [
        row_marker(1, Liveness::plain(50)),
        row_cell(1, V, cell("v", 50)),
    ];
    let found = read_of(&dropped(true), &sources, |_| {});
    assert_eq!(found.rows[0].columns, [(V, None), (W, None)]);
}

#[test]
fn a_stored_value_of_another_type_is_corruption() {
    let schema = schema();
    let table = table(&schema);
    let bad = row_cell(1, V, Cell::plain(10, Bytes::from_static(&[0xFF])));
    let error = execute(&everything(table), table, bad).unwrap_err();
    assert_eq!(error.class(), Class::Corruption);
    assert_eq!(error.to_string(), "byte 0: not UTF-8");
    let unknown = row_cell(1, ColumnId(9), cell("v", 10));
    assert!(
        execute(&everything(table), table, unknown)
            .unwrap()
            .rows
            .is_empty()
    );
}
