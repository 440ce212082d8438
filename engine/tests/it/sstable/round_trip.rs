//! Invariants under test: what a reader gives is what was written, whatever the block size and the slice.

use cenotaph_engine::keys::Slice;
use cenotaph_engine::rows::{NO_DELETION_SECONDS, Partition, Row};
use cenotaph_engine::sstable::{Sstable, decode};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::build::{
    INTERVAL, NAME, bytes_of, clustering, deletion, key, live_row, range, ready, slice, small,
    sorted, table,
};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(0x55_7a_b1_e0),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_scan_gives_all_partitions_in_order(partitions in table(), block_size in 1..300_usize) {
        let bytes = bytes_of(&partitions, block_size);
        prop_assert_eq!(decode(NAME, bytes).unwrap(), partitions);
    }

    #[test]
    fn a_read_gives_the_slice_of_the_partition(
        partitions in table(), block_size in 1..300_usize, from in -1..21_i32, to in -1..21_i32,
    ) {
        let sstable = Sstable::from_bytes(NAME, bytes_of(&partitions, block_size)).unwrap();
        for (key, partition) in &partitions {
            let whole = ready(sstable.get(key, &Slice::ALL)).unwrap();
            prop_assert_eq!(whole.as_ref(), Some(partition));
            let part = ready(sstable.get(key, &slice(from, to))).unwrap();
            prop_assert_eq!(part, Some(partition.slice(&slice(from, to))));
        }
    }

    #[test]
    fn a_key_that_was_not_written_is_absent(partitions in table(), number in 0..1_000_u32) {
        let sstable = Sstable::from_bytes(NAME, bytes_of(&partitions, 64)).unwrap();
        let wanted = key(number);
        let expected = partitions.iter().find(|(key, _)| *key == wanted).map(|(_, held)| held);
        let found = ready(sstable.get(&wanted, &Slice::ALL)).unwrap();
        prop_assert_eq!(found.as_ref(), expected);
    }
}

#[test]
fn the_statistics_count_what_was_written() {
    let sstable = Sstable::from_bytes(NAME, bytes_of(&small(), 64)).unwrap();
    let statistics = sstable.statistics();
    assert_eq!(statistics.interval, INTERVAL);
    let totals = statistics.totals;
    assert_eq!((totals.timestamp_min, totals.timestamp_max), (5, 20));
    assert_eq!(
        (
            totals.local_deletion_seconds_min,
            totals.local_deletion_seconds_max
        ),
        (77, NO_DELETION_SECONDS)
    );
    assert_eq!(
        (totals.partition_count, totals.row_count, totals.cell_count),
        (2, 5, 5)
    );
    assert_eq!(
        (totals.cell_tombstone_count, totals.row_deletion_count),
        (1, 2)
    );
    assert_eq!(
        (
            totals.range_tombstone_count,
            totals.partition_deletion_count
        ),
        (1, 1)
    );
    assert_eq!(totals.complex_deletion_count, 1);
    assert_eq!(totals.tombstone_count(), 6);
}

/// Rows `0..100`, and a range tombstone over `50..100` that is older than all of them.
fn wide() -> Partition {
    let mut partition = Partition::default();
    partition.delete_range(&range(50, 100, 1));
    for row in 0..100 {
        partition.apply_row(clustering(row), live_row(2, b"0123456789"));
    }
    partition
}

#[test]
fn a_range_tombstone_far_before_the_slice_still_covers_it() {
    let mut partition = wide();
    for row in 50..90 {
        let row_deletion = Row {
            deletion: Some(deletion(3)),
            ..Row::default()
        };
        partition.apply_row(clustering(row), row_deletion);
    }
    let sstable = Sstable::from_bytes(NAME, bytes_of(&[(key(1), partition.clone())], 32)).unwrap();
    let part = ready(sstable.get(&key(1), &slice(95, 97)))
        .unwrap()
        .unwrap();
    assert_eq!(part, partition.slice(&slice(95, 97)));
    assert_eq!(part.ranges.len(), 1);
}

#[test]
fn a_read_touches_only_the_blocks_it_needs() {
    let bytes = bytes_of(&sorted(vec![(key(1), wide()), (key(2), wide())]), 128);
    let sstable = Sstable::from_bytes(NAME, bytes.clone()).unwrap();
    let expected = ready(sstable.get(&key(1), &slice(40, 42))).unwrap();
    // Every byte that the read passes over may be damaged, and it does not notice.
    let mut harmless_count = 0;
    for index in 0..bytes.len() {
        let mut damaged = bytes.to_vec();
        damaged[index] ^= 0x10;
        let Ok(sstable) = Sstable::from_bytes(NAME, damaged.into()) else {
            continue;
        };
        match ready(sstable.get(&key(1), &slice(40, 42))) {
            Ok(found) => {
                assert_eq!(found, expected);
                harmless_count += 1;
            }
            Err(_) => continue,
        }
    }
    // Of two partitions with some twenty blocks each it reads one or two blocks and their indexes.
    assert!(
        harmless_count > bytes.len() * 8 / 10,
        "{harmless_count} of {}",
        bytes.len()
    );
}

#[test]
#[should_panic(expected = "partitions come in key order")]
fn keys_out_of_order_are_refused_by_the_writer() {
    let mut partitions = small();
    partitions.reverse();
    bytes_of(&partitions, 64);
}
