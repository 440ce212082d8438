//! Invariants of reading record files: what was written is read back up to the first damage, and damage
//! to what is known to have been synced is refused.
//!
//! Half of the inputs are a file as it is: nearly all of those die at the first checksum. The other
//! half describe a file that a writer made and one thing that then happened to its bytes, so that what
//! the reader must answer is known exactly.

use arbitrary::{Result, Unstructured};
use bytes::Bytes;
use cenotaph_engine::limits::{FILE_HEADER_SIZE, RECORD_HEADER_SIZE};
use cenotaph_engine::record::{
    Contents, FileHeader, FileKind, FileName, RecordError, encode_record, read_all,
};

/// The file that every input is about.
const NAME: FileName = FileName {
    kind: FileKind::CommitLog,
    id: 7,
};
const RECORD_COUNT_MAX: usize = 12;
const PAYLOAD_SIZE_MAX: usize = 80;

/// Reads a record file from a fuzzer's bytes, and holds the answer against what must be so.
///
/// # Panics
/// When the reader breaks a law.
pub fn record_reader(input: &[u8]) {
    let Some((first, rest)) = input.split_first() else {
        return;
    };
    if first % 2 == 0 {
        let bytes = Bytes::copy_from_slice(rest);
        let known_end = (first % 4 == 0).then_some(rest.len() as u64 / 2);
        assert_sound(&bytes, read_all(NAME, &bytes, known_end));
    } else if let Ok(damaged) = Damaged::draw(&mut Unstructured::new(rest)) {
        let bytes = damaged.bytes();
        let answer = read_all(NAME, &bytes, damaged.known_end);
        damaged.judge(&answer);
        assert_sound(&bytes, answer);
    }
}

/// What holds of any bytes: records follow one another, and hold what stands in the file.
fn assert_sound(bytes: &Bytes, answer: std::result::Result<Contents, RecordError>) {
    let Ok(contents) = answer else { return };
    assert!(
        contents.header.is_some() || contents.records.is_empty(),
        "records without a header"
    );
    let mut offset = FILE_HEADER_SIZE as u64;
    for record in &contents.records {
        assert_eq!(record.start, offset, "records leave no gap");
        let first = usize::try_from(record.start).expect("it is in memory") + RECORD_HEADER_SIZE;
        let stands = bytes.get(first..first + record.payload.len());
        assert_eq!(
            stands,
            Some(&record.payload[..]),
            "a payload is what stands in the file"
        );
        offset = record.end;
    }
    let end = if contents.header.is_some() { offset } else { 0 };
    assert_eq!(
        contents.end.offset(),
        end,
        "the file ends where its last record ends"
    );
    assert!(
        end <= bytes.len() as u64,
        "the file does not end beyond its bytes"
    );
    assert!(
        contents.synced_upto <= end,
        "no record vouches for what is behind it"
    );
}

/// What happened to a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing.
    None,
    /// It ends before this offset.
    Cut(usize),
    /// The byte at this offset is changed by these bits, not all zero.
    Flip(usize, u8),
    /// All from this offset on is zero.
    Zero(usize),
}

/// A file that a writer made, and what happened to it.
#[derive(Clone, Debug)]
pub struct Damaged {
    /// Header and records as written.
    written: Vec<u8>,
    /// What each record says was synced before it, and where it begins.
    synced: Vec<(u64, u64)>,
    /// Payloads as written.
    payloads: Vec<Vec<u8>>,
    /// Offsets of the first byte of the file and of every record, and of the end.
    bounds: Vec<usize>,
    /// What happened.
    edit: Edit,
    /// Where a later file says that this one ends.
    known_end: Option<u64>,
}

impl Damaged {
    /// Draws a file and an edit.
    ///
    /// # Errors
    /// The generator's, when it runs dry where it needs a byte.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<Damaged> {
        let (edit_kind, edit_at, bits) = (
            source.arbitrary::<u8>()?,
            source.arbitrary::<u16>()?,
            source.arbitrary::<u8>()?,
        );
        let known_end = source.arbitrary::<u8>()?;
        let mut file = Damaged::empty();
        for _ in 0..source.int_in_range(0..=RECORD_COUNT_MAX)? {
            let synced = source.arbitrary::<u8>()?;
            let size = source.int_in_range(1..=PAYLOAD_SIZE_MAX)?;
            let mut payload = vec![0; size];
            source.fill_buffer(&mut payload)?;
            file.append(synced, payload);
        }
        let at = usize::from(edit_at) % file.written.len();
        file.edit = match edit_kind % 4 {
            0 => Edit::None,
            1 => Edit::Cut(at),
            2 => Edit::Flip(at, bits.max(1)),
            _ => Edit::Zero(at),
        };
        // A later file names the end of a record, or of the header.
        let index = 1 + usize::from(known_end) % (file.bounds.len() - 1);
        file.known_end = (known_end >= 128).then(|| file.bounds[index] as u64);
        Ok(file)
    }

    /// A file with a header and no record, to which nothing happened.
    #[must_use]
    pub fn empty() -> Damaged {
        Damaged {
            written: FileHeader {
                name: NAME,
                previous: None,
                synced_upto: 0,
            }
            .encode()
            .to_vec(),
            synced: Vec::new(),
            payloads: Vec::new(),
            bounds: vec![0, FILE_HEADER_SIZE],
            edit: Edit::None,
            known_end: None,
        }
    }

    /// Appends a record that says that the file was synced up to one of the bounds before it.
    pub fn append(&mut self, synced_index: u8, payload: Vec<u8>) {
        let synced_upto = self.bounds[usize::from(synced_index) % self.bounds.len()] as u64;
        let start = self.written.len() as u64;
        encode_record(NAME, start, synced_upto, &[&payload], &mut self.written)
            .expect("the payload is small");
        self.synced.push((start, synced_upto));
        self.payloads.push(payload);
        self.bounds.push(self.written.len());
    }

    /// The same file, with something else that happened to it.
    #[must_use]
    pub fn with(mut self, edit: Edit, known_end: Option<u64>) -> Damaged {
        (self.edit, self.known_end) = (edit, known_end);
        self
    }

    /// The file's bytes after the edit.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let mut bytes = self.written.clone();
        match self.edit {
            Edit::None => {}
            Edit::Cut(at) => bytes.truncate(at),
            Edit::Flip(at, bits) => bytes[at] ^= bits,
            Edit::Zero(at) => bytes[at..].fill(0),
        }
        Bytes::from(bytes)
    }

    /// Objects unless `answer` is what this file must be read as.
    ///
    /// # Panics
    /// When the answer is wrong.
    pub fn judge(&self, answer: &std::result::Result<Contents, RecordError>) {
        let damage = self.bounds[self.whole_count()] as u64;
        match answer {
            Err(RecordError::Corrupt { offset, .. }) => {
                assert!(
                    self.was_synced_beyond(damage),
                    "what may be torn is refused: {self:?}"
                );
                assert_eq!(*offset, damage, "corruption is named where it is: {self:?}");
            }
            Err(error) => panic!("{error}: {self:?}"),
            Ok(contents) => {
                assert!(
                    !self.was_synced_beyond(damage),
                    "synced bytes are given up: {self:?}"
                );
                let end = self
                    .known_end
                    .map_or(damage, |known_end| damage.min(known_end));
                assert_eq!(
                    contents.end.offset(),
                    end,
                    "the file ends elsewhere: {self:?}"
                );
                let read = contents.records.iter().map(|record| &record.payload[..]);
                let written = self.payloads.iter().zip(&self.bounds[2..]);
                let written = written.filter(|(_, bound)| **bound as u64 <= end);
                assert!(
                    read.eq(written.map(|(payload, _)| &payload[..])),
                    "records differ: {self:?}"
                );
            }
        }
    }

    /// Whether anything that is left of the file says that it was synced beyond the first damage.
    fn was_synced_beyond(&self, damage: u64) -> bool {
        match self.known_end {
            Some(known_end) => damage < known_end,
            None => {
                let mut behind = self.synced.iter().filter(|(start, _)| *start > damage);
                behind.any(|(start, synced_upto)| *synced_upto > damage && self.is_whole(*start))
            }
        }
    }

    /// How many parts, the header being the first, stand before the first damage.
    fn whole_count(&self) -> usize {
        let bounds = self.bounds.windows(2);
        bounds
            .take_while(|pair| self.part_is_whole(pair[0], pair[1]))
            .count()
    }

    fn is_whole(&self, start: u64) -> bool {
        let index = self.bounds.iter().position(|bound| *bound as u64 == start);
        let index = index.expect("a record begins at a bound");
        self.part_is_whole(self.bounds[index], self.bounds[index + 1])
    }

    fn part_is_whole(&self, start: usize, end: usize) -> bool {
        self.bytes().get(start..end) == Some(&self.written[start..end])
    }
}
