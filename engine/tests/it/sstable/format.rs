//! Invariants under test: the bytes of version 2 never change.

use bytes::Bytes;
use cenotaph_engine::sstable::{
    BLOCK_HEAD_SIZE, FOOTER_SIZE, FRAME_SIZE, HEADER_SIZE, Kind, SstableName,
};
use cenotaph_snapshots::golden;

use super::build::{bytes_of, small};

fn hex(bytes: &[u8]) -> String {
    let lines: Vec<String> = bytes
        .chunks(24)
        .map(|line| {
            line.iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    lines.join("\n            ")
}

fn line(text: &mut String, offset: usize, bytes: &[u8], what: &str) {
    text.push_str(&format!(
        "{offset:>6}  {what}\n            {}\n",
        hex(bytes)
    ));
}

fn kind_name(kind: u8) -> String {
    let kinds = [
        Kind::Rows,
        Kind::Static,
        Kind::Deletions,
        Kind::RowIndex,
        Kind::DeletionIndex,
        Kind::Entries,
        Kind::Summary,
        Kind::Filter,
        Kind::Statistics,
    ];
    let found = kinds.into_iter().find(|known| *known as u8 == kind);
    found.map_or_else(
        || format!("unknown {kind}"),
        |known| format!("{known:?}").to_lowercase(),
    )
}

fn annotate(bytes: &Bytes) -> String {
    let mut text = String::new();
    line(&mut text, 0, &bytes[..8], "magic");
    line(&mut text, 8, &bytes[8..12], "version");
    line(&mut text, 12, &bytes[12..20], "table id");
    line(&mut text, 20, &bytes[20..28], "sstable id");
    line(&mut text, 28, &bytes[28..32], "checksum");
    let (mut at, footer) = (HEADER_SIZE as usize, bytes.len() - FOOTER_SIZE as usize);
    let head = BLOCK_HEAD_SIZE as usize;
    while at < footer {
        let size =
            u32::from_le_bytes(bytes[at + 1..at + head].try_into().expect("four bytes")) as usize;
        let end = at + head + size;
        text.push_str(&format!(
            "{at:>6}  block: {}, payload of {size}\n",
            kind_name(bytes[at])
        ));
        text.push_str(&format!("            {}\n", hex(&bytes[at..at + head])));
        line(&mut text, at + head, &bytes[at + head..end], "payload");
        line(&mut text, end, &bytes[end..end + 4], "checksum");
        at += size + FRAME_SIZE as usize;
    }
    for (offset, size, what) in [
        (0, 12, "footer: handle of the statistics"),
        (12, 12, "handle of the summary"),
        (24, 12, "handle of the filter"),
        (36, 8, "size of the file"),
        (44, 4, "version"),
        (48, 4, "checksum"),
        (52, 8, "magic"),
    ] {
        line(
            &mut text,
            footer + offset,
            &bytes[footer + offset..footer + offset + size],
            what,
        );
    }
    text
}

#[test]
fn the_bytes_of_version_3_are_frozen() {
    golden!(
        "engine/sstable",
        "version_3",
        "Two partitions as an sstable of version 3: live rows and deletions lie in blocks of their own.",
        annotate(&bytes_of(&small(), 4_096))
    );
}

#[test]
fn the_bytes_of_indexed_sections_are_frozen() {
    golden!(
        "engine/sstable",
        "version_3_small_blocks",
        "The same partitions with a block for each entry: sections of several blocks have an index.",
        annotate(&bytes_of(&small(), 1))
    );
}

#[test]
fn a_name_is_spelled_in_one_way() {
    let name = SstableName::parse("7-3.sst").unwrap();
    assert_eq!(name.path(), "data/7-3.sst");
    for other in [
        "7-3",
        "07-3.sst",
        "7-03.sst",
        "+7-3.sst",
        "7-3.sst.tmp",
        "-3.sst",
        "7--3.sst",
    ] {
        assert_eq!(SstableName::parse(other), None, "{other}");
    }
}
