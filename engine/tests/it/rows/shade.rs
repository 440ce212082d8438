//! Invariants under test: what tombstones elsewhere cover goes, they do not come in, and together all is as it was.

use cenotaph_engine::rows::{Liveness, Partition};
use proptest::prelude::*;

use super::support::{
    V, W, after, any_partition, before, cell, complex, deletion_at, element, expiring, merge,
    merge_in_order, partition_deletion, range, row_cell, row_deletion, row_marker, static_cell,
    tombstone,
};
use crate::laws::config;

/// What the tombstones of `others` leave of a partition, and how many items went.
fn left(partition: &Partition, others: &Partition) -> (Partition, u64) {
    let mut left = partition.clone();
    let count = left.drop_shaded(&others.clone().into_tombstones());
    assert!(left.is_canonical());
    (left, count)
}

#[test]
fn a_row_deletion_elsewhere_takes_what_it_covers_and_is_not_copied() {
    let inside = merge(&[
        row_cell(1, V, cell("covered", 5)),
        row_cell(1, W, cell("of the same time", 10)),
        row_marker(1, Liveness::plain(11)),
        row_cell(2, V, cell("another row", 5)),
    ]);
    let elsewhere = row_deletion(1, deletion_at(10, 7));
    let expected = merge(&[
        row_marker(1, Liveness::plain(11)),
        row_cell(2, V, cell("another row", 5)),
    ]);
    assert_eq!(left(&inside, &elsewhere), (expected, 2));
}

#[test]
fn tombstones_go_too_unless_they_say_more() {
    let elsewhere = merge(&[
        partition_deletion(deletion_at(5, 7)),
        range(before(2), after(4), deletion_at(10, 7)),
    ]);
    let gone = merge(&[
        partition_deletion(deletion_at(5, 6)),
        range(before(2), after(3), deletion_at(9, 9)),
        row_deletion(4, deletion_at(10, 7)),
    ]);
    assert_eq!(left(&gone, &elsewhere), (Partition::default(), 3));
    let kept = merge(&[
        range(before(2), after(5), deletion_at(9, 9)),
        row_deletion(4, deletion_at(10, 8)),
        static_cell(cell("s", 6)),
    ]);
    assert_eq!(left(&kept, &elsewhere), (kept.clone(), 0));
}

#[test]
fn tombstones_of_cells_and_columns_take_what_they_cover() {
    let elsewhere = merge(&[
        row_cell(1, V, tombstone(10, 7)),
        complex(1, deletion_at(8, 7)),
        element(1, "b", tombstone(12, 7)),
    ]);
    let inside = merge(&[
        row_cell(1, V, expiring("v", 10, 5, 99)),
        row_cell(1, W, cell("w", 1)),
        element(1, "a", cell("a", 8)),
        element(1, "b", cell("b", 12)),
        element(1, "c", cell("c", 9)),
    ]);
    let expected = merge(&[row_cell(1, W, cell("w", 1)), element(1, "c", cell("c", 9))]);
    assert_eq!(left(&inside, &elsewhere), (expected, 3));
}

#[test]
fn values_elsewhere_take_nothing_even_when_they_win_or_have_expired() {
    let elsewhere = merge(&[
        row_cell(1, V, cell("newer", 10)),
        row_cell(1, W, expiring("w", 10, 5, 6)),
    ]);
    let inside = merge(&[row_cell(1, V, cell("v", 5)), row_cell(1, W, cell("w", 5))]);
    assert_eq!(left(&inside, &elsewhere), (inside.clone(), 0));
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn whoever_reads_both_sees_what_was_seen(
        inside in any_partition(),
        elsewhere in any_partition(),
    ) {
        let (left, count) = left(&inside, &elsewhere);
        prop_assert_eq!(count == 0, left == inside);
        let before = merge_in_order(&[inside, elsewhere.clone()]);
        prop_assert_eq!(merge_in_order(&[left, elsewhere]), before);
    }

    #[test]
    fn nothing_is_left_in_a_row_that_a_tombstone_elsewhere_covers(
        inside in any_partition(),
        elsewhere in any_partition(),
    ) {
        let shade = elsewhere.into_tombstones();
        let (left, _) = left(&inside, &shade);
        let merged = merge_in_order(&[left.clone(), shade]);
        for (clustering, row) in left.rows.iter() {
            let after = merged.rows.get(clustering).unwrap();
            prop_assert_eq!(after.liveness, row.liveness);
            prop_assert!(row.deletion.is_none() || after.deletion == row.deletion);
            prop_assert!(row.cells.iter().all(|cell| after.cells.contains(cell)));
        }
    }
}
