//! Invariants under test: every stored deletion is shown as the client wrote it, and nothing that is none.

use cenotaph_engine::keys::Value;
use cenotaph_engine::read::{RangeStone, RowStones, Stone, StoneBound, Stones, stones};
use cenotaph_engine::rows::{Liveness, Partition};
use cenotaph_engine::schema::Change;

use super::support::{schema, table, table_name};
use crate::rows::support::{
    V, W, after, before, cell, deletion_at, expiring, merge, merge_in_order, partition_deletion,
    range, row_cell, row_deletion, row_marker, static_cell, tombstone,
};

const NOW: u32 = 1_000;

fn shown(partition: Partition) -> Stones {
    stones(table(&schema()), partition, NOW).expect("all positions are the table's")
}

fn stone(timestamp: i64, local_deletion_seconds: u32) -> Stone {
    Stone {
        timestamp,
        local_deletion_seconds,
    }
}

fn bound(values: &[i32], is_after: bool) -> StoneBound {
    StoneBound {
        values: values.iter().map(|value| Value::Int(*value)).collect(),
        is_after,
    }
}

#[test]
fn every_kind_of_deletion_is_shown_with_its_times() {
    let partition = merge_in_order(&[
        partition_deletion(deletion_at(1, 11)),
        static_cell(tombstone(2, 12)),
        range(before(1), after(2), deletion_at(3, 13)),
        row_deletion(4, deletion_at(5, 15)),
        row_cell(4, V, tombstone(6, 16)),
        row_cell(4, W, tombstone(7, 17)),
    ]);
    let name = |name: &str| name.to_owned();
    let expected = Stones {
        partition: Some(stone(1, 11)),
        statics: RowStones {
            cells: vec![(name("s").into(), stone(2, 12))],
            ..RowStones::default()
        },
        ranges: vec![RangeStone {
            start: bound(&[1], false),
            end: bound(&[2], true),
            stone: stone(3, 13),
        }],
        rows: vec![RowStones {
            clustering: vec![Value::Int(4)],
            row: Some(stone(5, 15)),
            cells: vec![
                (name("v").into(), stone(6, 16)),
                (name("w").into(), stone(7, 17)),
            ],
            ..RowStones::default()
        }],
    };
    assert_eq!(shown(partition), expected);
}

#[test]
fn what_is_alive_is_not_shown() {
    let alive = merge_in_order(&[
        row_cell(1, V, cell("v", 1)),
        row_cell(2, V, expiring("v", 1, 5, NOW + 1)),
        row_marker(3, Liveness::plain(1)),
        static_cell(cell("s", 1)),
    ]);
    assert_eq!(shown(alive), Stones::default());
    assert_eq!(shown(Partition::default()), Stones::default());
}

#[test]
fn an_expired_cell_is_shown_with_its_expiry() {
    let shown = shown(row_cell(1, V, expiring("v", 10, 5, NOW)));
    assert_eq!(shown.rows[0].cells, [("v".into(), stone(10, NOW))]);
}

#[test]
fn an_expired_marker_deletes_nothing_and_is_not_shown() {
    let expired = row_marker(1, Liveness::expiring(10, 5, NOW - 1));
    assert_eq!(shown(expired), Stones::default());
}

#[test]
fn a_range_without_ends_and_its_cuts_are_shown_as_they_are_merged() {
    let all = cenotaph_engine::keys::Bound::BOTTOM;
    let partition = merge(&[
        range(all, cenotaph_engine::keys::Bound::TOP, deletion_at(3, 13)),
        range(before(4), before(6), deletion_at(4, 14)),
    ]);
    let ranges: Vec<_> = shown(partition)
        .ranges
        .into_iter()
        .map(|range| (range.start, range.end, range.stone.timestamp))
        .collect();
    let expected = [
        (bound(&[], false), bound(&[4], false), 3),
        (bound(&[4], false), bound(&[6], false), 4),
        (bound(&[6], false), bound(&[], true), 3),
    ];
    assert_eq!(ranges, expected);
}

#[test]
fn the_cells_of_a_dropped_column_are_not_shown() {
    let drop = Change::DropColumn {
        table: table_name(),
        column: "v".into(),
        dropped_micros: 100,
    };
    let schema = schema().apply(&drop).expect("it fits");
    let partition = row_cell(1, V, tombstone(10, 20));
    let shown = stones(table(&schema), partition, NOW).expect("all positions are the table's");
    assert_eq!(shown, Stones::default());
}
