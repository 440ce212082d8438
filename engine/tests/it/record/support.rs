//! Vocabulary of the record files' tests: small files.

use bytes::Bytes;
use cenotaph_engine::record::{FileHeader, FileKind, FileName, Previous, encode_record};

/// The file that most tests are about.
pub(crate) const NAME: FileName = FileName {
    kind: FileKind::CommitLog,
    id: 7,
};

/// A file's bytes with the offset of each record's end, from payloads and their `synced_upto`.
pub(crate) fn file(name: FileName, records: &[(&[u8], u64)]) -> (Vec<u8>, Vec<u64>) {
    let previous = Some(Previous { id: 5, end: 4_096 });
    let mut bytes = FileHeader {
        name,
        previous,
        synced_upto: 0,
    }
    .encode()
    .to_vec();
    let mut ends = Vec::new();
    for (payload, synced_upto) in records {
        let offset = bytes.len() as u64;
        let end = encode_record(name, offset, *synced_upto, &[payload], &mut bytes);
        ends.push(end.expect("small"));
    }
    (bytes, ends)
}

/// Three records, of which the last says that the two before it were synced.
pub(crate) fn three() -> (Vec<u8>, Vec<u64>) {
    let (_, ends) = file(NAME, &[(b"first", 48), (b"the second", 48)]);
    file(
        NAME,
        &[(b"first", 48), (b"the second", 48), (b"3", ends[1])],
    )
}

/// The payloads of `three`.
pub(crate) const PAYLOADS: [Bytes; 3] = [
    Bytes::from_static(b"first"),
    Bytes::from_static(b"the second"),
    Bytes::from_static(b"3"),
];
