//! Invariants tests of deletions within deletions, and of the static row among them.

use cenotaph_engine::keys::{Order, Value};
use cenotaph_engine::message::{Edge, ReadStatement};

use super::case::{prepare, result, select};
use super::notation::seen;
use super::places::layouts;
use super::statements::{delete_partition, delete_range, delete_row, insert, insert_v, s, v};
use super::tables::schema;

cases! { Ascending
    a_partition_deletion_takes_what_has_its_timestamp: [delete_partition(10), insert_v(10, "1")]
        => "PD@10", 100 => "";
    a_later_update_outlives_a_partition_deletion: [delete_partition(10), v(11, "1")]
        => "PD@10 1: v=1@11", 100 => "1: v=1";
    a_partition_deletion_takes_the_marker_and_leaves_the_later_cell:
        [delete_partition(10), insert(9, &[]), v(11, "1")]
        => "PD@10 1: v=1@11", 100 => "1: v=1";
    a_row_deletion_equal_to_the_partitions_says_nothing: [delete_partition(10).d(5), delete_row(10).d(5)]
        => "PD@10d5", 100 => "";
    a_row_deletion_with_a_later_second_is_kept: [delete_partition(10).d(5), delete_row(10).d(6)]
        => "PD@10d5 1: RD@10d6", 100 => "";
    a_later_row_deletion_takes_what_the_partitions_left:
        [delete_partition(10), delete_row(12), v(11, "1")]
        => "PD@10 1: RD@12", 100 => "";
    a_marker_later_than_every_deletion_shows_nulls:
        [delete_row(10), delete_row(12), v(11, "1"), insert(13, &[])]
        => "1: L@13 RD@12", 100 => "1:";
    of_two_partition_deletions_the_later_second_is_kept: [delete_partition(10).d(5), delete_partition(10).d(6)]
        => "PD@10d6", 100 => "";
    a_partition_deletion_takes_an_older_static_value: [delete_partition(10), s(9, "x")]
        => "PD@10", 100 => "";
    a_later_static_value_outlives_a_partition_deletion: [delete_partition(10), s(11, "x")]
        => "PD@10 s=x@11", 100 => "s=x";
    no_range_deletion_reaches_a_static_value: [delete_range(10, "[-2147483648,]"), s(9, "x")]
        => "RT[-2147483648,]@10 s=x@9", 100 => "s=x";
    a_row_deletion_below_a_range_vanishes_with_its_row: [delete_range(12, "[0,9]"), delete_row(10), v(11, "1")]
        => "RT[0,9]@12", 100 => "";
    a_row_deletion_above_a_range_stays_with_what_is_later:
        [delete_range(10, "[0,9]"), delete_row(12), v(11, "1"), v(13, "2")]
        => "RT[0,9]@10 1: RD@12 v=2@13", 100 => "1: v=2";
    a_row_deletion_equal_to_its_ranges_says_nothing: [delete_range(10, "[0,9]").d(5), delete_row(10).d(5)]
        => "RT[0,9]@10d5", 100 => "";
    static_values_alone_are_a_row_of_the_partition: [s(10, "x")]
        => "s=x@10", 100 => "s=x";
}

#[test]
fn static_values_alone_are_no_row_of_a_read_that_names_rows() {
    let schema = schema(Order::Ascending);
    let mutations = prepare(&[s(10, "x")], &schema);
    let some_rows = ReadStatement {
        lower: Some(Edge {
            values: vec![("ck".into(), Value::Int(0))],
            inclusive: true,
        }),
        ..select()
    };
    for layout in layouts(1) {
        let found = result(&schema, &some_rows, 100, &mutations, &layout);
        assert_eq!((seen(&found).as_str(), found.statics), ("", None));
    }
}
