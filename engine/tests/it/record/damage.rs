//! Invariants of damage: a torn tail stops nothing, damage below what was synced is never passed over,
//! and no wrong record is ever given.

use std::collections::BTreeMap;
use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::record::{Damage, End, FileKind, FileName, Record, RecordError, read_all};
use cenotaph_snapshots::golden;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::{NAME, PAYLOADS, file, three};

fn read(bytes: &[u8]) -> Result<(Vec<Record>, End), RecordError> {
    let contents = read_all(NAME, &Bytes::copy_from_slice(bytes), None)?;
    Ok((contents.records, contents.end))
}

#[test]
fn a_file_cut_at_any_byte_gives_the_records_before_the_cut() {
    let (bytes, ends) = three();
    for size in 0..bytes.len() {
        let (records, end) = read(&bytes[..size]).expect("a torn tail stops nothing");
        let whole = ends.iter().filter(|end| **end <= size as u64).count();
        assert!(
            records
                .iter()
                .map(|record| &record.payload)
                .eq(&PAYLOADS[..whole]),
            "{size}"
        );
        let boundary = if whole == 0 { 48 } else { ends[whole - 1] };
        match end {
            End::Clean { offset } => assert_eq!((offset, size as u64), (boundary, boundary)),
            End::Torn { offset, damage } if size < 48 => {
                assert_eq!((offset, damage), (0, Damage::FileHeaderCut));
            }
            End::Torn { offset, .. } => assert_eq!(offset, boundary),
        }
    }
}

#[test]
fn a_file_cut_before_the_end_that_a_later_file_names_is_corrupt() {
    let (bytes, ends) = three();
    for size in 0..bytes.len() {
        let cut = Bytes::copy_from_slice(&bytes[..size]);
        let result = read_all(NAME, &cut, Some(ends[2]));
        let Err(RecordError::Corrupt { synced_upto, .. }) = result else {
            panic!("{size}: {result:?}");
        };
        assert_eq!(synced_upto, ends[2]);
    }
}

/// Where a flipped bit is corruption, where it is a torn tail, and what it looks like.
#[test]
fn a_flipped_bit_is_corruption_where_the_file_was_synced_and_a_torn_tail_behind() {
    let (bytes, ends) = three();
    let mut seen: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            let answer = match read(&bytes) {
                Err(RecordError::Corrupt {
                    offset,
                    damage,
                    synced_upto,
                    ..
                }) => {
                    assert!(
                        (at as u64) < ends[1] && synced_upto == ends[1],
                        "{at}.{bit}"
                    );
                    let start = [0, 48, ends[0]]
                        .iter()
                        .rfind(|start| **start <= at as u64)
                        .copied();
                    assert_eq!(Some(offset), start, "the damage is found where it begins");
                    format!("corrupt at {offset:>3}: {damage}")
                }
                Ok((records, End::Torn { offset, damage })) => {
                    assert_eq!(offset, ends[1], "{at}.{bit}");
                    assert!(
                        records
                            .iter()
                            .map(|record| &record.payload)
                            .eq(&PAYLOADS[..2])
                    );
                    format!("torn at {offset:>3}: {damage}")
                }
                other => panic!("{at}.{bit}: {other:?}"),
            };
            let (first, count) = seen.entry(answer).or_insert((at, 0));
            (*first, *count) = ((*first).min(at), *count + 1);
        }
    }
    let mut rows: Vec<_> = seen.into_iter().collect();
    rows.sort_by_key(|(answer, (first, _))| (*first, answer.clone()));
    let mut text = String::from("first byte  bits  answer\n");
    for (answer, (first, count)) in rows {
        writeln!(text, "{first:>10}  {count:>4}  {answer}").expect("a string takes all");
    }
    let proves = "Every flipped bit of a file is found: below what was synced as corruption.";
    golden!("engine/record", "flipped_bits", proves, text);
}

#[test]
fn zeros_garbage_and_records_of_other_places_are_a_torn_tail() {
    let (bytes, ends) = three();
    let other_name = FileName {
        kind: FileKind::CommitLog,
        id: 6,
    };
    let (stale, _) = file(
        other_name,
        &[(b"first", 48), (b"the second", 48), (b"3", 48), (b"4", 48)],
    );
    let same_offset = stale[usize::try_from(ends[2]).expect("small")..].to_vec();
    let other_kind = FileName {
        kind: FileKind::Metadata,
        id: 7,
    };
    let (kind, _) = file(
        other_kind,
        &[(b"first", 48), (b"the second", 48), (b"3", 48), (b"4", 48)],
    );
    let other_kind = kind[usize::try_from(ends[2]).expect("small")..].to_vec();
    let other_offset = bytes[48..].to_vec();
    let tails: [(&str, Vec<u8>, Damage); 6] = [
        ("zeros", vec![0; 1_000], Damage::Zeros),
        ("few zeros", vec![0; 3], Damage::Zeros),
        ("garbage", vec![0xa5; 999], Damage::RecordHeaderChecksum),
        ("of another file", same_offset, Damage::RecordHeaderChecksum),
        ("of another kind", other_kind, Damage::RecordHeaderChecksum),
        (
            "of another place",
            other_offset,
            Damage::RecordHeaderChecksum,
        ),
    ];
    for (gist, tail, expected) in tails {
        let (records, end) = read(&[bytes.clone(), tail].concat()).expect("torn");
        assert!(
            records.iter().map(|record| &record.payload).eq(&PAYLOADS),
            "{gist}"
        );
        assert_eq!(
            end,
            End::Torn {
                offset: ends[2],
                damage: expected
            },
            "{gist}"
        );
    }
}

#[test]
fn a_whole_record_after_damage_proves_nothing_unless_it_says_so() {
    let records: [(&[u8], u64); 3] = [(b"first", 48), (b"second", 48), (b"third", 48)];
    let (mut bytes, ends) = file(NAME, &records);
    bytes[usize::try_from(ends[0]).expect("small") + 20] ^= 1;
    let (records, end) = read(&bytes).expect("disks write later sectors before earlier ones");
    assert_eq!(records.len(), 1);
    assert_eq!(
        end,
        End::Torn {
            offset: ends[0],
            damage: Damage::PayloadChecksum
        }
    );
}

#[test]
fn a_record_with_a_damaged_payload_still_tells_what_was_synced() {
    let (mut bytes, ends) = three();
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    bytes[usize::try_from(ends[0]).expect("small")] ^= 1;
    let Err(RecordError::Corrupt {
        offset,
        synced_upto,
        ..
    }) = read(&bytes)
    else {
        panic!("the third record's header says that the second was synced");
    };
    assert_eq!((offset, synced_upto), (ends[0], ends[1]));
}

#[test]
fn a_file_whose_header_never_became_whole_counts_for_nothing() {
    let (bytes, _) = file(NAME, &[]);
    let other = FileName {
        kind: FileKind::CommitLog,
        id: 8,
    };
    for (name, bytes) in [
        (NAME, &bytes[..40]),
        (NAME, &[0; 512]),
        (NAME, &[]),
        (other, &bytes),
    ] {
        let contents = read_all(name, &Bytes::copy_from_slice(bytes), None).expect("torn");
        assert_eq!((contents.header, contents.records.len()), (None, 0));
        assert!(matches!(contents.end, End::Torn { offset: 0, .. }));
    }
}

#[test]
fn a_file_of_an_unknown_version_is_refused() {
    let (mut bytes, _) = file(NAME, &[]);
    bytes[8] = 2;
    let checksum = crc32c::crc32c(&bytes[..44]).to_le_bytes();
    bytes[44..48].copy_from_slice(&checksum);
    let error = read(&bytes).expect_err("it may hold anything");
    assert_eq!(
        error.to_string(),
        "commitlog/7.log is corrupt at offset 0: the file format version 2 is unknown (synced up to 48)"
    );
}

proptest! {
    #![proptest_config(Config {
        cases: 256,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn any_bytes_are_read_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        with_header in any::<bool>(),
        known_end in prop::option::of(0..700_u64),
    ) {
        let header = if with_header { file(NAME, &[]).0 } else { Vec::new() };
        let bytes = Bytes::from([header, bytes].concat());
        let _ = read_all(NAME, &bytes, known_end);
    }

    #[test]
    fn whatever_is_overwritten_no_wrong_record_is_given(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 1..12),
        synced in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        garbage in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        // All records from `synced` on say that those before it were synced.
        let synced = synced.index(payloads.len());
        let plain: Vec<(&[u8], u64)> = payloads.iter().map(|p| (&p[..], 48)).collect();
        let synced_upto = synced.checked_sub(1).map_or(48, |last| file(NAME, &plain).1[last]);
        let marked: Vec<(&[u8], u64)> = payloads
            .iter()
            .enumerate()
            .map(|(n, p)| (&p[..], if n >= synced { synced_upto } else { 48 }))
            .collect();
        let (whole, ends) = file(NAME, &marked);
        let mut bytes = whole.clone();
        let at = at.index(bytes.len());
        let size = garbage.len().min(bytes.len() - at);
        bytes[at..at + size].copy_from_slice(&garbage[..size]);
        let evidence_at = ends[..synced].last().copied().unwrap_or(48);
        match read(&bytes) {
            Ok((records, _)) => {
                let given: Vec<_> = records.iter().map(|record| record.payload.to_vec()).collect();
                prop_assert_eq!(&given[..], &payloads[..given.len()]);
                // Damage below the watermark is found as long as one header after it is left.
                let headers_left = ends[synced..].iter().any(|end| at as u64 + size as u64 + 16 < *end)
                    && (at + size) as u64 <= evidence_at;
                if headers_left && whole[..] != bytes[..] {
                    prop_assert!(at as u64 >= evidence_at, "passed over damage at {}", at);
                }
            }
            Err(RecordError::Corrupt { offset, .. }) => {
                prop_assert!(offset < evidence_at && (at as u64) < evidence_at);
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}
