//! Invariants under test: a snapshot shows what was there when it was taken, whatever is written meanwhile; what no
//! snapshot needs is used again; a memtable that cannot hold a write stays as it was.

use cenotaph_engine::error::Classify;
use cenotaph_engine::keys::Slice;
use cenotaph_engine::memtable::{Memtable, MemtableError};
use cenotaph_engine::rows::{Mutation, Partition};
use proptest::prelude::*;

use super::cases::holding;
use super::content::{TABLE, key, put};
use crate::laws::config;
use crate::rows::support::{
    V, after, any_writes, before, cell, deletion, partition_deletion, range, row_cell, row_deletion,
};

#[test]
fn a_paused_reader_keeps_its_snapshot_while_all_is_rewritten_a_thousand_times() {
    let memtable = holding((0..8).map(|row| row_cell(row, V, cell("a", 1))));
    put(&memtable, 1, range(before(10), after(12), deletion(1)));
    let before_all = memtable.get(&key(1), &Slice::ALL).unwrap();
    let snapshot = memtable.snapshot(&key(1)).unwrap();
    for round in 0..1_000 {
        let time = 10 * (round + 1);
        put(&memtable, 1, partition_deletion(deletion(time)));
        for row in 0..8 {
            put(&memtable, 1, row_cell(row, V, cell("b", time + 1)));
        }
        put(&memtable, 1, row_deletion(3, deletion(time + 2)));
        put(&memtable, 1, range(before(5), after(9), deletion(time + 3)));
    }
    assert_eq!(snapshot.copy(&Slice::ALL), before_all);
    let held_for_it = memtable.trie_bytes().0;
    assert!(
        held_for_it < 4_096,
        "one reader keeps one version: {held_for_it} bytes"
    );
    drop(snapshot);
    put(&memtable, 1, row_cell(0, V, cell("c", 1_000_000)));
    assert!(memtable.trie_bytes().0 < held_for_it);
}

#[test]
fn rows_written_and_deleted_for_ever_take_no_more_than_at_first() {
    let memtable = Memtable::new(TABLE);
    let mut sizes = Vec::new();
    for round in 0..200_i64 {
        for row in 0..50 {
            put(&memtable, 1, row_cell(row, V, cell("a", 10 * round + 1)));
        }
        let snapshot = memtable.snapshot(&key(1));
        put(&memtable, 1, partition_deletion(deletion(10 * round + 2)));
        drop(snapshot);
        sizes.push(memtable.trie_bytes().1);
    }
    assert_eq!(sizes[20..].iter().max(), sizes[20..].iter().min());
}

#[test]
fn a_write_that_does_not_fit_is_an_error_and_changes_nothing() {
    let memtable = Memtable::with_trie_size_max(TABLE, 4_096);
    let mut expected = Partition::default();
    let mut overrun = None;
    for row in 0..1_000 {
        let update = row_cell(row, V, cell("a", 10));
        let ticket = memtable.ticket();
        let written = ticket.memtable().put(Mutation {
            table: TABLE,
            key: key(1),
            update: update.clone(),
        });
        match written {
            Ok(()) => expected.apply(update),
            Err(error) => {
                overrun = Some(error);
                break;
            }
        };
    }
    let error = overrun.expect("4 KiB do not hold 1,000 rows");
    assert!(matches!(error, MemtableError::Overrun { .. }), "{error}");
    assert!(!error.is_retryable(), "the log may hold the write");
    assert_eq!(memtable.get(&key(1), &Slice::ALL), Some(expected));
    let full = memtable.check_room().unwrap_err();
    assert!(matches!(full, MemtableError::Full { .. }), "{full}");
    assert!(full.is_retryable(), "nothing of it has happened");
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn snapshots_taken_between_writes_show_what_was_there(
        writes in any_writes(24),
        taken in prop::collection::vec(any::<bool>(), 24),
        dropped in prop::collection::vec(any::<bool>(), 24),
    ) {
        let memtable = Memtable::new(TABLE);
        let mut readers = Vec::new();
        for ((write, takes), drops) in writes.iter().zip(taken).zip(dropped) {
            put(&memtable, 1, write.to_partition());
            if takes && let Some(snapshot) = memtable.snapshot(&key(1)) {
                readers.push((snapshot, memtable.get(&key(1), &Slice::ALL).unwrap_or_default()));
            }
            if drops && !readers.is_empty() {
                readers.remove(0);
            }
        }
        for (snapshot, expected) in readers {
            prop_assert_eq!(snapshot.copy(&Slice::ALL), expected);
        }
        let count = memtable.get(&key(1), &Slice::ALL).unwrap_or_default().rows.len();
        let live = memtable.snapshot(&key(1)).map_or(0, |snapshot| snapshot.row_count());
        prop_assert!(live as usize <= count);
    }
}
