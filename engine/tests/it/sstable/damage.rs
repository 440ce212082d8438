//! Invariants under test: no damage gives a wrong answer or a panic; each gives an error that says where.

use bytes::Bytes;
use cenotaph_engine::error::Classify;
use cenotaph_engine::keys::{DecoratedKey, Slice};
use cenotaph_engine::rows::{Partition, TableId};
use cenotaph_engine::sstable::{Sstable, SstableError, SstableId, SstableName, decode};
use cenotaph_snapshots::golden;

use super::build::{NAME, bytes_of, key, ready, small};

/// Everything that can be asked of an sstable: true when an answer was refused.
fn ask_all(bytes: Bytes, truth: &[(DecoratedKey, Partition)]) -> bool {
    let mut errors = Vec::new();
    match decode(NAME, bytes.clone()) {
        Ok(found) => assert_eq!(found, truth),
        Err(error) => errors.push(error),
    }
    match Sstable::from_bytes(NAME, bytes) {
        Ok(sstable) => {
            for number in 0..4 {
                let expected = truth.iter().find(|(held, _)| *held == key(number));
                match ready(sstable.get(&key(number), &Slice::ALL)) {
                    Ok(found) => assert_eq!(found.as_ref(), expected.map(|(_, held)| held)),
                    Err(error) => errors.push(error),
                }
            }
        }
        Err(error) => errors.push(error),
    }
    assert!(errors.iter().all(Classify::is_corruption));
    !errors.is_empty()
}

#[test]
fn every_flipped_bit_is_refused_and_never_changes_an_answer() {
    let truth = small();
    for block_size in [1, 32, 4_096] {
        let bytes = bytes_of(&truth, block_size);
        assert!(!ask_all(bytes.clone(), &truth));
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(
                ask_all(damaged.into(), &truth),
                "bit {bit} of block size {block_size}"
            );
        }
    }
}

#[test]
fn every_other_value_of_a_byte_is_refused() {
    let truth = small();
    let bytes = bytes_of(&truth, 4_096);
    for index in 0..bytes.len() {
        for xor in [0x0f, 0xf0, 0x55, 0xff, bytes[index]] {
            if xor == 0 {
                continue;
            }
            let mut damaged = bytes.to_vec();
            damaged[index] ^= xor;
            assert!(ask_all(damaged.into(), &truth), "byte {index} ^ {xor:#04x}");
        }
    }
}

#[test]
fn every_shorter_and_longer_file_is_refused() {
    let truth = small();
    let bytes = bytes_of(&truth, 32);
    for size in 0..bytes.len() {
        assert!(ask_all(bytes.slice(..size), &truth), "{size} bytes");
    }
    for extra in [1, 59, 60, 512] {
        let mut longer = bytes.to_vec();
        longer.resize(bytes.len() + extra, 0);
        assert!(ask_all(longer.into(), &truth));
    }
    let twice = [bytes.as_ref(), bytes.as_ref()].concat();
    assert!(ask_all(twice.into(), &truth));
}

#[test]
fn every_zeroed_stretch_is_refused() {
    let truth = small();
    let bytes = bytes_of(&truth, 32);
    for start in 0..bytes.len() - 16 {
        let mut damaged = bytes.to_vec();
        damaged[start..start + 16].fill(0);
        if damaged != bytes {
            assert!(ask_all(damaged.into(), &truth), "from {start}");
        }
    }
}

#[test]
fn bytes_that_were_written_elsewhere_are_refused() {
    let truth = small();
    let bytes = bytes_of(&truth, 32);
    for (from, to) in [(32, 64), (64, 32), (80, 40)] {
        for size in 1..32 {
            let mut damaged = bytes.to_vec();
            damaged.copy_within(from..from + size, to);
            if damaged != bytes {
                assert!(
                    ask_all(damaged.into(), &truth),
                    "{size} bytes from {from} to {to}"
                );
            }
        }
    }
}

#[test]
fn the_file_of_another_sstable_is_refused() {
    let bytes = bytes_of(&small(), 32);
    for other in [
        SstableName {
            table: TableId(8),
            ..NAME
        },
        SstableName {
            id: SstableId(4),
            ..NAME
        },
    ] {
        let error = Sstable::from_bytes(other, bytes.clone()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("the file belongs to sstable 7-3"),
            "{error}"
        );
    }
}

/// The error of the first thing that fails with this byte changed.
fn error_at(bytes: &Bytes, index: usize) -> SstableError {
    let mut damaged = bytes.to_vec();
    damaged[index] ^= 0x01;
    decode(NAME, damaged.into()).expect_err("damage is refused")
}

#[test]
fn an_error_names_file_offset_and_cause() {
    let bytes = bytes_of(&small(), 4_096);
    let mut text = String::new();
    for (what, index) in [
        ("magic", 0),
        ("version", 8),
        ("table id", 12),
        ("header checksum", 28),
        ("first block's kind", 32),
        ("first block's payload", 40),
        ("footer's handle", bytes.len() - 60),
        ("footer's file size", bytes.len() - 24),
        ("last magic", bytes.len() - 1),
    ] {
        text.push_str(&format!("{what}: {}\n", error_at(&bytes, index)));
    }
    let cut = decode(NAME, bytes.slice(..50)).unwrap_err();
    text.push_str(&format!("cut to 50 bytes: {cut}\n"));
    golden!(
        "engine/sstable",
        "errors",
        "An error about a damaged sstable names the file, the offset of the damaged part, and the cause.",
        text
    );
}
