//! Invariants under test: what outlived its grace is neither shown nor counted; what a reader sees is the same.

use cenotaph_engine::read::{ReadCommand, ReadCounts};
use cenotaph_engine::rows::{Liveness, Partition};
use cenotaph_engine::schema::Table;

use super::support::{keys, read};
use crate::rows::support::{
    V, W, after, before, cell, deletion_at, expiring, partition_deletion, range, row_cell,
    row_deletion, row_marker, static_cell, tombstone,
};

const NOW: u32 = 1_000_000;
const GRACE_END: u32 = NOW - Table::GC_GRACE_SECONDS_DEFAULT;

fn at_now(command: &mut ReadCommand) {
    command.now_seconds = NOW;
}

fn dead(seconds: u32) -> Vec<Partition> {
    vec![
        partition_deletion(deletion_at(1, seconds)),
        range(before(1), after(2), deletion_at(10, seconds)),
        row_deletion(3, deletion_at(10, seconds)),
        row_marker(4, Liveness::expiring(10, 1, seconds)),
        row_cell(5, V, tombstone(10, seconds)),
        row_cell(6, V, expiring("v", 10, 1, seconds)),
        static_cell(tombstone(10, seconds)),
        row_cell(7, W, cell("alive", 11)),
    ]
}

#[test]
fn what_outlived_its_grace_is_not_counted() {
    let result = read(&dead(GRACE_END - 1), at_now);
    assert_eq!(keys(&result), [7]);
    let expected = ReadCounts {
        live_row_count: 1,
        tombstone_count: 0,
        shadowed_row_count: 0,
        stones_present: 3,
    };
    assert_eq!(result.counts, expected);
}

#[test]
fn what_is_within_its_grace_is_counted() {
    // The marker, two cells, the static one: the range and the row deletion are not walked.
    let result = read(&dead(GRACE_END + 1), at_now);
    assert_eq!(keys(&result), [7]);
    assert_eq!(result.counts.tombstone_count, 4);
}

#[test]
fn a_deletion_that_outlived_its_grace_still_deletes() {
    let covered = row_cell(3, V, cell("covered", 9));
    let mut sources = dead(GRACE_END - 1);
    sources.push(covered);
    assert_eq!(keys(&read(&sources, at_now)), [7]);
}
