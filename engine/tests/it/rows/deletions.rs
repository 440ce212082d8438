//! Invariants tests of deletions within deletions: only what says something new is kept.

use cenotaph_engine::keys::Bound;
use cenotaph_engine::rows::{Liveness, Partition, Row};

use super::support::{
    V, at, cell, deletion, deletion_at, merge, partition_deletion, range, row_cell, row_deletion,
    row_marker, static_cell, visible,
};

fn only_row(partition: &Partition) -> &Row {
    assert_eq!(partition.rows.len(), 1);
    partition.rows.get(&at(1)).unwrap()
}

#[test]
fn a_partition_deletion_takes_rows_up_to_its_timestamp() {
    let gone = [
        partition_deletion(deletion(10)),
        row_marker(1, Liveness::plain(10)),
        row_cell(1, V, cell("v", 10)),
    ];
    assert_eq!(merge(&gone), partition_deletion(deletion(10)));

    let updated = merge(&[
        partition_deletion(deletion(10)),
        row_marker(1, Liveness::plain(9)),
        row_cell(1, V, cell("v", 11)),
    ]);
    assert_eq!(only_row(&updated).liveness, None);
    assert_eq!(visible(&updated, 0), [1], "the later cell shows the row");
}

#[test]
fn a_row_deletion_is_kept_only_when_it_supersedes_the_partitions() {
    let merged = |row_seconds| {
        merge(&[
            partition_deletion(deletion_at(10, 5)),
            row_deletion(1, deletion_at(10, row_seconds)),
        ])
    };
    assert_eq!(merged(5), partition_deletion(deletion_at(10, 5)));
    assert_eq!(only_row(&merged(6)).deletion, Some(deletion_at(10, 6)));
}

#[test]
fn a_later_row_deletion_takes_what_the_partitions_left() {
    let merged = merge(&[
        partition_deletion(deletion(10)),
        row_deletion(1, deletion(12)),
        row_cell(1, V, cell("v", 11)),
    ]);
    assert_eq!(
        *only_row(&merged),
        Row {
            deletion: Some(deletion(12)),
            ..Row::default()
        }
    );
}

#[test]
fn a_marker_later_than_all_deletions_shows_nulls() {
    let merged = merge(&[
        row_deletion(1, deletion(10)),
        row_deletion(1, deletion(12)),
        row_cell(1, V, cell("v", 11)),
        row_marker(1, Liveness::plain(13)),
    ]);
    let expected = Row {
        complex: Vec::new(),
        liveness: Some(Liveness::plain(13)),
        deletion: Some(deletion(12)),
        cells: Vec::new(),
    };
    assert_eq!(*only_row(&merged), expected);
    assert_eq!(visible(&merged, 0), [1]);
}

#[test]
fn of_two_partition_deletions_the_later_deletion_time_wins_a_tie() {
    let versions = [
        partition_deletion(deletion_at(10, 5)),
        partition_deletion(deletion_at(10, 6)),
    ];
    assert_eq!(merge(&versions).deletion, Some(deletion_at(10, 6)));
}

#[test]
fn a_partition_deletion_reaches_the_static_row() {
    let merged = |timestamp| {
        merge(&[
            partition_deletion(deletion(10)),
            static_cell(cell("s", timestamp)),
        ])
    };
    assert!(merged(9).static_row.is_empty());
    assert!(!merged(11).static_row.is_empty());
}

#[test]
fn a_partition_deleted_in_place_keeps_nothing_that_is_older() {
    let mut partition = merge(&[
        static_cell(cell("s", 9)),
        row_cell(1, V, cell("v", 9)),
        row_deletion(2, deletion(10)),
        range(Bound::BOTTOM, Bound::TOP, deletion(8)),
    ]);
    let before = partition.size_bytes().cast_signed();
    let growth = partition.delete(deletion(10));
    assert_eq!(partition, partition_deletion(deletion(10)));
    assert_eq!(before + growth, partition.size_bytes().cast_signed());
}

#[test]
fn a_range_deletion_of_everything_does_not_reach_the_static_row() {
    let everything = range(Bound::BOTTOM, Bound::TOP, deletion(10));
    assert!(
        !merge(&[everything, static_cell(cell("s", 9))])
            .static_row
            .is_empty()
    );
}

#[test]
fn a_row_deletion_below_a_range_deletion_vanishes_and_above_it_stays() {
    let everything = |timestamp| range(Bound::BOTTOM, Bound::TOP, deletion(timestamp));
    let below = merge(&[
        everything(12),
        row_deletion(1, deletion(10)),
        row_cell(1, V, cell("v", 11)),
    ]);
    assert_eq!(below, everything(12));

    let above = merge(&[
        everything(10),
        row_deletion(1, deletion(12)),
        row_cell(1, V, cell("v", 11)),
        row_cell(1, V, cell("w", 13)),
    ]);
    let expected = Row {
        deletion: Some(deletion(12)),
        cells: vec![(V.into(), cell("w", 13))],
        ..Row::default()
    };
    assert_eq!(*only_row(&above), expected);

    let equal = merge(&[
        range(Bound::BOTTOM, Bound::TOP, deletion_at(10, 5)),
        row_deletion(1, deletion_at(10, 5)),
    ]);
    assert!(equal.rows.is_empty());
}

#[test]
fn a_range_deletion_is_kept_only_when_it_supersedes_the_partitions() {
    let kept = |timestamp| {
        let everything = range(Bound::BOTTOM, Bound::TOP, deletion(timestamp));
        !merge(&[partition_deletion(deletion(10)), everything])
            .ranges
            .is_empty()
    };
    assert_eq!([9, 10, 11].map(kept), [false, false, true]);
}
