//! Invariants of the format: its bytes are frozen.

use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::record::{Contents, End, FileHeader, Previous, read_all};
use cenotaph_snapshots::golden;

use super::{NAME, PAYLOADS, three};

const FILE_FIELDS: [(usize, &str); 9] = [
    (8, "magic"),
    (2, "version"),
    (2, "kind: commit log"),
    (4, "synced up to"),
    (8, "file id"),
    (8, "continues file id"),
    (8, ".. which ends at"),
    (4, "zero"),
    (4, "checksum of the file header"),
];

fn annotate(text: &mut String, bytes: &[u8], at: &mut usize, size: usize, field: &str) {
    for (index, line) in bytes[*at..*at + size].chunks(8).enumerate() {
        let hex: Vec<_> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let field = if index == 0 { field } else { "" };
        let line = format!("{:>4}  {:<24}{field}", *at + 8 * index, hex.join(" "));
        writeln!(text, "{}", line.trim_end()).expect("a string takes all");
    }
    *at += size;
}

#[test]
fn the_bytes_of_version_one_are_frozen() {
    let (bytes, ends) = three();
    let (mut text, mut at) = (String::new(), 0);
    for (size, field) in FILE_FIELDS {
        annotate(&mut text, &bytes, &mut at, size, field);
    }
    for (payload, end) in PAYLOADS.iter().zip(ends) {
        writeln!(text, "--- record").expect("a string takes all");
        annotate(&mut text, &bytes, &mut at, 4, "payload size");
        annotate(&mut text, &bytes, &mut at, 4, "synced up to");
        annotate(
            &mut text,
            &bytes,
            &mut at,
            4,
            "checksum of payload and padding",
        );
        annotate(
            &mut text,
            &bytes,
            &mut at,
            4,
            "checksum of kind, id, offset, header",
        );
        annotate(&mut text, &bytes, &mut at, payload.len(), "payload");
        let padding = usize::try_from(end).expect("small") - at;
        annotate(&mut text, &bytes, &mut at, padding, "padding");
    }
    assert_eq!(at, bytes.len());
    golden!(
        "engine/record",
        "bytes",
        "Version 1 of record files, field by field.",
        text
    );
}

#[test]
fn a_file_reads_back_as_it_was_written() {
    let (bytes, ends) = three();
    let contents = read_all(NAME, &Bytes::from(bytes), None).expect("whole");
    let Contents {
        header,
        records,
        synced_upto,
        end,
        size: _,
    } = contents;
    let previous = Some(Previous { id: 5, end: 4_096 });
    assert_eq!(
        header,
        Some(FileHeader {
            name: NAME,
            previous,
            synced_upto: 0,
        })
    );
    assert_eq!(
        records.iter().map(|record| record.end).collect::<Vec<_>>(),
        ends
    );
    assert!(records.iter().map(|record| &record.payload).eq(&PAYLOADS));
    assert_eq!(
        (synced_upto, end),
        (ends[1], End::Clean { offset: ends[2] })
    );
}

#[test]
fn a_header_that_comes_last_says_what_was_synced_before_it() {
    let (bytes, ends) = three();
    let header = FileHeader {
        name: NAME,
        previous: None,
        synced_upto: ends[2],
    };
    let whole = [&header.encode()[..], &bytes[48..]].concat();
    let contents = read_all(NAME, &Bytes::from(whole.clone()), None).expect("whole");
    assert_eq!(contents.synced_upto, ends[1], "by the records alone");
    for size in 48..whole.len() {
        let cut = Bytes::copy_from_slice(&whole[..size]);
        assert!(read_all(NAME, &cut, None).is_err(), "cut at {size}");
    }
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        let result = read_all(NAME, &Bytes::from(flipped), None);
        assert!(result.is_err(), "flipped at {at}");
    }
}

#[test]
fn a_later_file_says_where_this_one_ends() {
    let (bytes, ends) = three();
    for (count, end) in [48].iter().chain(&ends).enumerate() {
        let contents = read_all(NAME, &Bytes::from(bytes.clone()), Some(*end)).expect("whole");
        assert_eq!(contents.records.len(), count);
        assert_eq!(contents.end, End::Clean { offset: *end });
    }
}
