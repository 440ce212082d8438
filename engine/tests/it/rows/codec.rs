//! Byte layout tests of rows: frozen bytes, round trips, and damage.

use bytes::Bytes;
use cenotaph_engine::keys::{DecoratedKey, PartitionKey};
use cenotaph_engine::rows::wire::{self, Input};
use cenotaph_engine::rows::{CellKey, Liveness, Mutation, Partition, Row, RowsError, TableId};
use proptest::prelude::*;

use super::support::{
    M, V, W, after, any_partition, at, before, cell, complex, deletion, deletion_at, element,
    expiring, merge_in_order, partition_deletion, path, range, row, static_cell, tombstone,
};
use crate::laws::{config, hex};

fn mutation(update: Partition) -> Mutation {
    let key = DecoratedKey::new(PartitionKey(Bytes::from_static(&[0, 0, 0, 7])));
    Mutation {
        table: TableId(300),
        key,
        update,
    }
}

/// A partition with everything that can be in one.
fn everything() -> Partition {
    let full = Row {
        complex: Vec::new(),
        liveness: Some(Liveness::expiring(1_000, 60, 90)),
        deletion: Some(deletion_at(900, 80)),
        cells: vec![
            (V.into(), cell("value", 1_001)),
            (W.into(), expiring("w", 1_002, 60, 91)),
        ],
    };
    merge_in_order(&[
        partition_deletion(deletion_at(-5, 70)),
        static_cell(cell("s", 3)),
        range(before(1), before(3), deletion(40)),
        range(before(3), after(8), deletion(41)),
        row(2, full),
        row(
            3,
            Row {
                liveness: Some(Liveness::plain(50)),
                ..Row::default()
            },
        ),
        row(
            9,
            Row {
                cells: vec![(V.into(), tombstone(7, 71))],
                ..Row::default()
            },
        ),
        complex(9, deletion(50)),
        element(9, "", cell("1", 51)),
        element(9, "a", tombstone(51, 71)),
        element(9, "b", expiring("2", 51, 60, 92)),
    ])
}

/// The parts of a mutation's bytes, each with what it is.
fn annotated(mutation: &Mutation) -> Vec<(String, Vec<u8>)> {
    let part = |what: &str, put: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        put(&mut bytes);
        (what.to_owned(), bytes)
    };
    let Partition {
        deletion,
        static_row,
        rows,
        ranges,
    } = &mutation.update;
    let mut parts = vec![
        part("version", &|out| out.push(2)),
        part("table", &|out| wire::put_varint(mutation.table.0, out)),
        part("partition key", &|out| {
            wire::put_bytes(&mutation.key.key.0, out)
        }),
        part("flags: all parts", &|out| out.push(15)),
        part("partition deletion", &|out| {
            deletion.unwrap().encode_into(out)
        }),
        part("static row", &|out| static_row.encode_into(out)),
        part("count of ranges", &|out| {
            wire::put_varint(ranges.len() as u64, out)
        }),
    ];
    for range in ranges {
        parts.push(part("range", &|out| range.encode_into(out)));
    }
    parts.push(part("count of rows", &|out| {
        wire::put_varint(rows.len() as u64, out)
    }));
    for (clustering, row) in rows.iter() {
        parts.push(part("clustering", &|out| {
            wire::put_bytes(&clustering.0, out)
        }));
        parts.push(part("row", &|out| row.encode_into(out)));
    }
    parts
}

#[test]
fn a_mutation_has_frozen_bytes() {
    let mutation = mutation(everything());
    let parts = annotated(&mutation);
    let lines: Vec<String> = parts
        .iter()
        .map(|(what, bytes)| format!("{what:<20} {}", hex(bytes)))
        .collect();
    cenotaph_snapshots::golden!(
        "engine/rows",
        "mutation_v2",
        "A mutation with every kind of content has frozen bytes.",
        lines.join("\n")
    );
    let bytes: Vec<u8> = parts.into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert_eq!(mutation.encode(), bytes);
    assert_eq!(Mutation::decode(&bytes), Ok(mutation));
}

#[test]
fn a_mutation_cut_anywhere_is_refused() {
    let bytes = mutation(everything()).encode();
    for size in 0..bytes.len() {
        assert!(Mutation::decode(&bytes[..size]).is_err(), "{size}");
    }
    let longer = [&bytes[..], &[0]].concat();
    let error = RowsError::Malformed {
        offset: bytes.len(),
        cause: "bytes left over",
    };
    assert_eq!(Mutation::decode(&longer), Err(error));
}

#[test]
fn an_unknown_version_is_refused_by_name() {
    let mut bytes = mutation(everything()).encode();
    bytes[0] = 1;
    assert_eq!(
        Mutation::decode(&bytes),
        Err(RowsError::UnknownVersion { version: 1 })
    );
}

/// Why a partition of these bytes is refused.
fn refused(bytes: &[u8]) -> String {
    Partition::decode_from(&mut Input::new(bytes))
        .unwrap_err()
        .to_string()
}

#[test]
fn what_is_not_in_canonical_form_is_refused() {
    let mut shadowed = row(
        1,
        Row {
            cells: vec![(V.into(), cell("a", 5))],
            ..Row::default()
        },
    );
    shadowed.deletion = Some(deletion(5));
    let mut empty_row = Partition::default();
    empty_row.rows.insert(at(1), Row::default());
    let mut apart = range(before(1), before(3), deletion(5));
    apart
        .ranges
        .extend(range(before(3), before(4), deletion(5)).ranges);
    let twice = Row {
        cells: vec![(V.into(), cell("a", 5)), (V.into(), cell("a", 6))],
        ..Row::default()
    };
    let mut repeated = Partition::default();
    repeated.rows.insert(at(1), twice);
    let shadowed_element = Row {
        complex: vec![(M, deletion(5))],
        cells: vec![(CellKey::element(M, path("a")), cell("a", 5))],
        ..Row::default()
    };
    let mut within = Partition::default();
    within.rows.insert(at(1), shadowed_element);
    for partition in [shadowed, empty_row, apart, repeated, within] {
        let mut bytes = Vec::new();
        partition.encode_into(&mut bytes);
        assert!(
            refused(&bytes).contains("not in canonical form"),
            "{}",
            refused(&bytes)
        );
    }
}

#[test]
fn a_row_alone_has_to_be_canonical_too() {
    let refused = |row: Row| {
        let mut bytes = Vec::new();
        row.encode_into(&mut bytes);
        Row::decode_from(&mut Input::new(&bytes))
            .unwrap_err()
            .to_string()
    };
    let shadowed = Row {
        deletion: Some(deletion(5)),
        cells: vec![(V.into(), cell("a", 5))],
        ..Row::default()
    };
    assert!(refused(shadowed).ends_with("not in canonical form"));
    let descending = Row {
        cells: vec![(W.into(), cell("a", 5)), (V.into(), cell("a", 5))],
        ..Row::default()
    };
    assert!(refused(descending).ends_with("not in canonical form"));
    let both_deleted = Row {
        deletion: Some(deletion(5)),
        complex: vec![(M, deletion(5))],
        ..Row::default()
    };
    assert!(refused(both_deleted).ends_with("not in canonical form"));
    let paths_descend = Row {
        cells: vec![
            (CellKey::element(M, path("b")), cell("a", 5)),
            (CellKey::element(M, path("a")), cell("a", 5)),
        ],
        ..Row::default()
    };
    assert!(refused(paths_descend).ends_with("not in canonical form"));
}

#[test]
fn damaged_partitions_are_refused_with_their_offset() {
    assert_eq!(refused(&[]), "byte 0: ends too early");
    assert_eq!(refused(&[16]), "byte 1: unknown flags");
    assert_eq!(refused(&[8, 0]), "byte 2: a count of none");
    assert_eq!(
        refused(&[8, 0xFF, 0x7F]),
        "byte 3: more is announced than follows"
    );
    assert_eq!(
        refused(&[8, 1, 1, 0x20, 0]),
        "byte 4: no clustering position"
    );
    assert_eq!(
        refused(&[4, 1, 1, 0x60, 1, 0x20, 2, 1]),
        "byte 6: an empty range"
    );
    assert_eq!(refused(&[2, 4, 1, 0, 9, 0]), "byte 5: no kind of cell");
    let mut reserved = vec![1];
    wire::put_signed(i64::MIN, &mut reserved);
    reserved.push(5);
    assert_eq!(refused(&reserved), "byte 11: the reserved timestamp");
}

#[test]
fn numbers_have_one_form() {
    let number = |bytes: &[u8]| {
        Input::new(bytes)
            .varint()
            .map_err(|error| error.to_string())
    };
    assert_eq!(number(&[0]), Ok(0));
    assert_eq!(number(&[0x80, 1]), Ok(128));
    assert_eq!(
        number(&[0x80, 0]),
        Err("byte 2: a number longer than needed".into())
    );
    let mut largest = vec![0xFF; 9];
    largest.push(1);
    assert_eq!(number(&largest), Ok(u64::MAX));
    largest[9] = 2;
    assert_eq!(
        number(&largest),
        Err("byte 10: a number above 64 bits".into())
    );
    largest[9] = 0x81;
    assert_eq!(
        number(&largest),
        Err("byte 10: a number above 64 bits".into())
    );
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn mutations_decode_to_what_was_encoded(partition in any_partition(), table in any::<u64>()) {
        let mutation = Mutation { table: TableId(table), ..mutation(partition) };
        prop_assert_eq!(Mutation::decode(&mutation.encode()), Ok(mutation));
    }

    #[test]
    fn numbers_decode_to_what_was_encoded(number in any::<i64>(), shift in 0_u32..64) {
        let number = number >> shift;
        let mut bytes = Vec::new();
        wire::put_signed(number, &mut bytes);
        wire::put_varint(number.cast_unsigned(), &mut bytes);
        let mut input = Input::new(&bytes);
        prop_assert_eq!(input.signed(), Ok(number));
        prop_assert_eq!(input.varint(), Ok(number.cast_unsigned()));
        prop_assert_eq!(input.finish(), Ok(()));
    }

    #[test]
    fn damaged_mutations_are_refused_or_mean_what_their_bytes_say(
        partition in any_partition(),
        at in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let mut bytes = mutation(partition).encode();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(decoded) = Mutation::decode(&bytes) {
            prop_assert!(decoded.update.is_canonical());
            prop_assert_eq!(decoded.encode(), bytes);
        }
    }

    #[test]
    fn random_bytes_are_refused_or_mean_what_they_say(
        bytes in prop::collection::vec(prop_oneof![3 => 0_u8..10, 1 => any::<u8>()], 0..40),
    ) {
        let mut input = Input::new(&bytes);
        if let Ok(partition) = Partition::decode_from(&mut input) {
            let mut again = Vec::new();
            partition.encode_into(&mut again);
            prop_assert_eq!(&again[..], &bytes[..input.offset()]);
        }
    }
}
