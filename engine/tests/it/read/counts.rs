//! Invariants tests of tombstone counts: a walk with tombstones meets each dead thing once, and nothing beyond the
//! limit; a live-only read meets dead cells only, and says what else there was.

use cenotaph_engine::read::{ReadCommand, ReadCounts, Unfiltered, execute, merge};
use cenotaph_engine::rows::{Liveness, Partition};

use super::support::{everything, schema, table, walk};
use crate::rows::support::{
    V, W, after, before, cell, deletion, expiring, partition_deletion, range, row_cell,
    row_deletion, row_marker, static_cell, tombstone,
};

/// (tombstones, live rows) that a read of everything at second 250 meets.
fn met(sources: &[Partition]) -> (usize, usize) {
    met_by(sources, |_| {})
}

fn met_by(sources: &[Partition], change: impl FnOnce(&mut ReadCommand)) -> (usize, usize) {
    let schema = schema();
    let mut command = everything(table(&schema));
    command.now_seconds = 250;
    change(&mut command);
    let met = walk(sources, &command);
    let found = execute(&command, table(&schema), unfiltered(sources)).unwrap();
    assert_eq!(
        found.counts.live_row_count, met.1,
        "with tombstones or without"
    );
    met
}

/// What a live-only read of everything counts.
fn counted(sources: &[Partition], change: impl FnOnce(&mut ReadCommand)) -> ReadCounts {
    let schema = schema();
    let mut command = everything(table(&schema));
    command.now_seconds = 250;
    change(&mut command);
    let found = execute(&command, table(&schema), unfiltered(sources));
    found.unwrap().counts
}

fn unfiltered(sources: &[Partition]) -> Unfiltered {
    let mut unfiltered = Unfiltered::default();
    for source in sources {
        unfiltered.push(source.clone());
    }
    unfiltered
}

#[test]
fn a_row_deletion_alone_counts_once_and_below_dead_cells_not_at_all() {
    assert_eq!(met(&[row_deletion(1, deletion(10))]), (1, 0));
    let with_cells = [
        row_deletion(1, deletion(10)),
        row_cell(1, V, tombstone(11, 5)),
        row_cell(1, W, tombstone(11, 5)),
    ];
    assert_eq!(met(&with_cells), (2, 0));
}

#[test]
fn dead_cells_of_a_live_row_count() {
    let sources = [
        row_marker(1, Liveness::plain(10)),
        row_cell(1, V, tombstone(11, 5)),
        row_cell(1, W, tombstone(11, 5)),
    ];
    assert_eq!(met(&sources), (2, 1));
}

#[test]
fn expired_cells_count_and_an_expired_marker_counts_only_alone() {
    let marker = row_marker(1, Liveness::expiring(10, 5, 200));
    assert_eq!(met(std::slice::from_ref(&marker)), (1, 0));
    let cells = merge([
        row_cell(1, V, expiring("v", 10, 5, 200)),
        row_cell(1, W, expiring("w", 10, 5, 200)),
    ]);
    assert_eq!(met(&[marker, cells]), (2, 0));
}

#[test]
fn a_range_counts_where_it_opens_changes_and_closes() {
    assert_eq!(met(&[range(before(1), after(5), deletion(10))]), (2, 0));
    let adjacent = [
        range(before(1), before(5), deletion(10)),
        range(before(5), after(9), deletion(11)),
    ];
    assert_eq!(met(&adjacent), (3, 0));
}

#[test]
fn a_partition_deletion_and_what_it_shadows_count_nothing() {
    let sources = [
        partition_deletion(deletion(10)),
        row_cell(1, V, cell("v", 10)),
    ];
    assert_eq!(met(&sources), (0, 0));
}

#[test]
fn a_dead_static_value_counts_as_a_rows_does() {
    assert_eq!(met(&[static_cell(tombstone(10, 5))]), (1, 0));
}

/// A queue: 9 consumed rows, and one that waits.
fn queue() -> Vec<Partition> {
    let consumed = (0..9).map(|key| row_deletion(key, deletion(20)));
    consumed.chain([row_cell(9, V, cell("v", 10))]).collect()
}

#[test]
fn a_queues_head_is_behind_all_that_was_consumed() {
    assert_eq!(met_by(&queue(), |command| command.limit = Some(1)), (9, 1));
    let from_last = |command: &mut ReadCommand| {
        command.limit = Some(1);
        command.slice.start = after(8);
    };
    assert_eq!(met_by(&queue(), from_last), (0, 1));
}

#[test]
fn nothing_beyond_the_limit_is_counted() {
    let sources = [
        row_cell(1, V, cell("v", 10)),
        row_deletion(2, deletion(20)),
        range(before(3), after(5), deletion(20)),
    ];
    assert_eq!(met_by(&sources, |command| command.limit = Some(1)), (0, 1));
    assert_eq!(met(&sources), (3, 1));
}

#[test]
fn a_range_around_the_last_row_counts_where_it_opened() {
    let sources = [
        row_cell(2, V, cell("v", 10)),
        range(before(1), after(9), deletion(5)),
    ];
    let limited = |reversed| {
        met_by(&sources, |command| {
            command.limit = Some(1);
            command.reversed = reversed;
        })
    };
    assert_eq!(limited(false), (1, 1));
    assert_eq!(limited(true), (1, 1));
}

#[test]
fn a_live_only_read_meets_no_row_deletion_on_its_way_to_a_queues_head() {
    let counts = counted(&queue(), |command| command.limit = Some(1));
    let expected = ReadCounts {
        live_row_count: 1,
        tombstone_count: 0,
        shadowed_row_count: 0,
        stones_present: 9,
    };
    assert_eq!(counts, expected);
}

#[test]
fn a_row_that_another_source_deletes_is_told_as_shadowed() {
    let sources = [
        row_cell(1, V, cell("v", 10)),
        row_cell(2, V, cell("v", 10)),
        row_deletion(1, deletion(20)),
        range(before(3), after(9), deletion(20)),
    ];
    for reversed in [false, true] {
        let counts = counted(&sources, |command| command.reversed = reversed);
        assert_eq!((counts.live_row_count, counts.shadowed_row_count), (1, 1));
        assert_eq!(counts.stones_present, 3);
    }
}

#[test]
fn a_live_only_read_meets_dead_cells_of_rows_that_no_deletion_covers() {
    let sources = [
        row_cell(1, V, tombstone(11, 5)),
        row_marker(2, Liveness::expiring(10, 5, 200)),
        row_cell(3, V, expiring("v", 10, 5, 200)),
        row_deletion(4, deletion(20)),
    ];
    assert_eq!(counted(&sources, |_| {}).tombstone_count, 3);
}
