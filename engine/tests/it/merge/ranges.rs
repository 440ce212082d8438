//! Invariants tests of range deletions: what they reach, and how they overlap, touch and are cut.

use cenotaph_engine::keys::{BoundSide, DataType, Order, Slice, Value};
use cenotaph_engine::message::{
    Edge, ListIds, NamedValue, OrderBy, ReadStatement, WriteStatement, WriteTarget,
};
use cenotaph_engine::read::{execute, merge};
use cenotaph_engine::rows::{Mutation, Partition};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, TableName,
};

use super::case::{prepare, select};
use super::notation::stored;
use super::statements::{Write, delete_partition, delete_range, v};
use super::tables::{schema, table};
use crate::read::support::walk;

fn x(timestamp: i64, row: i32) -> Write {
    v(timestamp, "x").row(row)
}

cases! { Ascending
    a_closed_range_takes_the_rows_at_its_ends:
        [delete_range(10, "[2,4]"), x(10, 1), x(10, 2), x(10, 3), x(10, 4), x(10, 5)]
        => "RT[2,4]@10 1: v=x@10 5: v=x@10", 100 => "1: v=x 5: v=x";
    an_open_range_leaves_the_rows_at_its_ends:
        [delete_range(10, "(2,4)"), x(10, 1), x(10, 2), x(10, 3), x(10, 4), x(10, 5)]
        => "RT(2,4)@10 1: v=x@10 2: v=x@10 4: v=x@10 5: v=x@10", 100 => "1: v=x 2: v=x 4: v=x 5: v=x";
    a_half_open_range_leaves_the_row_at_its_end:
        [delete_range(10, "[2,4)"), x(10, 1), x(10, 2), x(10, 3), x(10, 4), x(10, 5)]
        => "RT[2,4)@10 1: v=x@10 4: v=x@10 5: v=x@10", 100 => "1: v=x 4: v=x 5: v=x";
    later_rows_outlive_a_range_and_it_stays:
        [delete_range(10, "[2,4]"), x(11, 1), x(11, 2), x(11, 3), x(11, 4), x(11, 5)]
        => "RT[2,4]@10 1: v=x@11 2: v=x@11 3: v=x@11 4: v=x@11 5: v=x@11",
        100 => "1: v=x 2: v=x 3: v=x 4: v=x 5: v=x";
    a_later_range_begins_inside_an_earlier_one: [delete_range(10, "[1,5]"), delete_range(12, "[3,8]")]
        => "RT[1,3)@10 RT[3,8]@12", 100 => "";
    an_earlier_range_shows_behind_a_later_one: [delete_range(12, "[1,5]"), delete_range(10, "[3,8]")]
        => "RT[1,5]@12 RT(5,8]@10", 100 => "";
    a_range_within_one_of_the_same_deletion_says_nothing:
        [delete_range(10, "[1,5]").d(5), delete_range(10, "[3,4]").d(5)]
        => "RT[1,5]@10d5", 100 => "";
    ranges_that_touch_after_a_row_are_one: [delete_range(10, "[1,5]"), delete_range(10, "(5,9]")]
        => "RT[1,9]@10", 100 => "";
    ranges_that_touch_before_a_row_are_one: [delete_range(10, "[1,5)"), delete_range(10, "[5,9]")]
        => "RT[1,9]@10", 100 => "";
    ranges_that_share_a_row_are_one: [delete_range(10, "[1,5]"), delete_range(10, "[5,9]")]
        => "RT[1,9]@10", 100 => "";
    ranges_with_a_row_between_them_are_two_and_it_survives:
        [delete_range(10, "[1,5)"), delete_range(10, "(5,9]"), x(10, 5)]
        => "RT[1,5)@10 RT(5,9]@10 5: v=x@10", 100 => "5: v=x";
    a_range_as_old_as_the_partitions_deletion_says_nothing:
        [delete_partition(10), delete_range(10, "[1,5]")]
        => "PD@10", 100 => "";
    a_range_older_than_the_partitions_deletion_says_nothing:
        [delete_partition(10), delete_range(9, "[1,5]")]
        => "PD@10", 100 => "";
    a_range_later_than_the_partitions_deletion_is_kept:
        [delete_partition(10), delete_range(11, "[1,5]"), x(11, 5), x(11, 6)]
        => "PD@10 RT[1,5]@11 6: v=x@11", 100 => "6: v=x";
    of_two_deletions_of_a_range_the_later_second_is_kept:
        [delete_range(10, "[1,5]").d(5), delete_range(10, "[1,5]").d(9)]
        => "RT[1,5]@10d9", 100 => "";
    a_range_whose_ends_cross_says_nothing: [delete_range(10, "[5,5)"), x(9, 5)]
        => "5: v=x@9", 100 => "5: v=x";
    a_middle_range_between_an_older_and_a_later_one_is_swallowed:
        [delete_range(10, "[1,5]"), delete_range(12, "[1,5]"), delete_range(11, "[2,3]")]
        => "RT[1,5]@12", 100 => "";
}

/// The same statements on a table whose rows descend: the range's sides are swapped as it is stored.
pub(super) mod descending {
    use super::{delete_range, x};

    cases! { Descending
        a_range_is_by_value_whatever_the_order: [delete_range(10, "(3,]"), x(10, 2), x(10, 3), x(10, 4)]
            => "RT[,3)@10 3: v=x@10 2: v=x@10", 100 => "3: v=x 2: v=x";
        a_closed_range_of_values_is_closed_in_descending_order:
            [delete_range(10, "[2,4]"), x(10, 1), x(10, 2), x(10, 4), x(10, 5)]
            => "RT[4,2]@10 5: v=x@10 1: v=x@10", 100 => "5: v=x 1: v=x";
    }
}

/// The merge of some writes.
fn merged(writes: &[Write]) -> Partition {
    let mutations = prepare(writes, &schema(Order::Ascending));
    merge(
        mutations
            .into_iter()
            .map(|mutation: Mutation| mutation.update),
    )
}

/// The slice from just before one row to just after another.
fn slice(from: i32, to: i32) -> Slice {
    let schema = schema(Order::Ascending);
    let shape = table(&schema).clustering_shape();
    let bound = |value, side| shape.bound(&[Value::Int(value)], side).unwrap();
    Slice {
        start: bound(from, BoundSide::Before),
        end: bound(to, BoundSide::After),
    }
}

#[test]
fn a_slice_cuts_a_range_at_both_its_ends() {
    let schema = schema(Order::Ascending);
    let part = merged(&[delete_range(10, "[1,9]")]).slice(&slice(3, 4));
    assert_eq!(stored(table(&schema), &part), "RT[3,4]@10");
}

#[test]
fn a_read_that_stops_inside_a_range_has_a_range_that_ends_at_its_last_row() {
    let schema = schema(Order::Ascending);
    let partition = merged(&[delete_range(5, "[1,9]"), x(10, 2), x(10, 6)]);
    let limited = ReadStatement {
        limit: Some(1),
        ..select()
    };
    let command = limited.prepare(&schema, 100).unwrap();
    let found = execute(&command, table(&schema), partition.clone()).unwrap();
    assert_eq!(found.rows.len(), 1);
    let met = walk(std::slice::from_ref(&partition), &command);
    assert_eq!(met, (1, 1), "where the range opens, and the row");
    // A fragment up to that row says nothing of the rows behind it.
    let shape = table(&schema).clustering_shape();
    let last = shape.clustering(&found.rows[0].clustering).unwrap();
    let up_to_last = Slice {
        start: Slice::ALL.start,
        end: last.after(),
    };
    let fragment = stored(table(&schema), &partition.slice(&up_to_last));
    assert_eq!(fragment, "RT[1,2]@5 2: v=x@10");
}

/// How many markers a read meets up to each of its rows.
fn markers_up_to_each_row(writes: &[Write], order: Option<Order>) -> Vec<usize> {
    let schema = schema(Order::Ascending);
    let partition = merged(writes);
    let rows = partition.rows.len();
    let met = |limit| {
        let read = ReadStatement {
            limit: Some(limit),
            order_by: order.map(|order| OrderBy {
                column: "ck".into(),
                order,
            }),
            ..select()
        };
        let command = read.prepare(&schema, 100).unwrap();
        walk(std::slice::from_ref(&partition), &command).0
    };
    (1..=u32::try_from(rows).unwrap()).map(met).collect()
}

#[test]
fn a_reversed_read_opens_a_range_where_a_forward_one_closes_it() {
    // Markers at 1, 3 and 8: the middle one closes one range and opens the other, either way.
    let writes = [
        delete_range(10, "[1,5]"),
        delete_range(12, "[3,8]"),
        x(20, 0),
        x(20, 2),
        x(20, 5),
        x(20, 9),
    ];
    assert_eq!(markers_up_to_each_row(&writes, None), [0, 1, 2, 3]);
    let reversed = markers_up_to_each_row(&writes, Some(Order::Descending));
    assert_eq!(reversed, [0, 1, 2, 3]);
    // At the ends themselves: a closed range has opened before its last row, read from there.
    let at_ends = [delete_range(10, "[1,5]"), x(20, 1), x(20, 5)];
    assert_eq!(markers_up_to_each_row(&at_ends, None), [1, 1]);
    assert_eq!(
        markers_up_to_each_row(&at_ends, Some(Order::Descending)),
        [1, 1]
    );
}

/// Of rows (a, b) with both in 0..=4, those that a deletion of a range leaves, written as statements.
fn left_of_pairs(lower: &[i32], inclusive: bool, upper: &[i32]) -> Vec<[i32; 2]> {
    let named = |values: &[i32]| -> Vec<NamedValue> {
        let names = ["a", "b"].into_iter().zip(values);
        names
            .map(|(name, value)| ((*name).into(), Value::Int(*value)))
            .collect()
    };
    let column = |name: &str, kind| ColumnDefinition {
        name: name.into(),
        data_type: DataType::Int.into(),
        kind,
    };
    let clustering = ColumnKind::Clustering(Order::Ascending);
    let create = Change::CreateTable {
        name: TableName::new("k", "pairs"),
        columns: vec![
            column("pk", ColumnKind::PartitionKey),
            column("a", clustering),
            column("b", clustering),
        ],
        gc_grace_seconds: 60,
        purge: PurgeOptions::default(),
    };
    let schema = Schema::empty().apply(&create).unwrap();
    let write = |target| WriteStatement {
        table: TableName::new("k", "pairs"),
        partition_key: vec![("pk".into(), Value::Int(1))],
        timestamp: 10,
        ttl_seconds: None,
        target,
    };
    let pairs = (0..=4).flat_map(|a| (0..=4).map(move |b| [a, b]));
    let inserts = pairs.map(|pair| WriteTarget::Insert {
        clustering: named(&pair),
        columns: vec![],
    });
    let delete = WriteTarget::DeleteRange {
        lower: Some(Edge {
            values: named(lower),
            inclusive,
        }),
        upper: Some(Edge {
            values: named(upper),
            inclusive: true,
        }),
    };
    let ids = ListIds::new(1);
    let updates = inserts
        .chain([delete])
        .map(|target| write(target).prepare(&schema, 100, &ids).unwrap().update);
    let merged = merge(updates);
    let table = schema.table_named(&TableName::new("k", "pairs")).unwrap();
    let pair = |clustering| match table.clustering_shape().values(clustering).unwrap()[..] {
        [Value::Int(a), Value::Int(b)] => [a, b],
        ref other => panic!("{other:?}"),
    };
    merged.rows.iter().map(|(row, _)| pair(row)).collect()
}

#[test]
fn a_deletion_by_the_first_key_column_covers_it_and_no_other() {
    let left = left_of_pairs(&[1], true, &[1]);
    assert_eq!(left.len(), 20);
    assert!(left.iter().all(|[a, _]| *a != 1), "{left:?}");
}

#[test]
fn a_deletion_above_a_value_of_the_second_key_column_leaves_that_value() {
    let left = left_of_pairs(&[1, 3], false, &[1]);
    assert_eq!(left.len(), 24);
    assert!(left.contains(&[1, 3]) && !left.contains(&[1, 4]));
}
