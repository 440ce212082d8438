//! Steps: partitions come in key order; each leaves its sections and, in a block shared with its
//! neighbours, its entry; the end adds the summary, the filter, the statistics, the footer.

use super::content::{put_deletions, put_rows};
use super::entry::{Entry, SummaryEntry};
use super::filter::Filter;
use super::id::SstableName;
use super::layout::{FOOTER_SIZE, Footer, Handle, Kind, put_block, put_header};
use super::section::SectionWriter;
use super::statistics::{Statistics, Totals};
use crate::commitlog::Interval;
use crate::keys::{DecoratedKey, Token};
use crate::rows::Partition;

/// Turns partitions into the bytes of an sstable. Does no I/O: whoever drives it drains the bytes.
#[derive(Debug)]
pub(super) struct Builder {
    name: SstableName,
    interval: Interval,
    block_size: usize,
    out: Vec<u8>,
    /// File offset of the first byte of `out`.
    base: u64,
    entries: Vec<u8>,
    entries_first: Option<DecoratedKey>,
    summary: Vec<u8>,
    tokens: Vec<Token>,
    first: Option<DecoratedKey>,
    last: Option<DecoratedKey>,
    totals: Totals,
}

impl Builder {
    /// `block_size` is the payload size at which a block is cut.
    pub(super) fn new(name: SstableName, interval: Interval, block_size: usize) -> Builder {
        let mut out = Vec::new();
        put_header(&mut out, name);
        Builder {
            name,
            interval,
            block_size,
            out,
            base: 0,
            entries: Vec::new(),
            entries_first: None,
            summary: Vec::new(),
            tokens: Vec::new(),
            first: None,
            last: None,
            totals: Totals::default(),
        }
    }

    fn offset(&self) -> u64 {
        self.base + self.out.len() as u64
    }

    /// Bytes that wait to be drained.
    pub(super) fn pending(&self) -> usize {
        self.out.len()
    }

    /// The bytes so far that were not drained yet, and the offset where they belong.
    pub(super) fn drain(&mut self) -> (u64, Vec<u8>) {
        let offset = self.base;
        let bytes = std::mem::take(&mut self.out);
        self.base += bytes.len() as u64;
        (offset, bytes)
    }

    fn put(&mut self, kind: Kind, payload: &[u8]) -> Handle {
        let offset = self.offset();
        put_block(&mut self.out, self.name, offset, kind, payload)
    }

    fn section(&mut self, kind: Kind) -> SectionWriter<'_> {
        let Builder {
            name,
            base,
            block_size,
            ..
        } = *self;
        SectionWriter {
            name,
            out: &mut self.out,
            base,
            block_size,
            kind,
        }
    }

    /// Adds the next partition.
    ///
    /// # Panics
    /// When the key is not above the last one.
    pub(super) fn add(&mut self, key: &DecoratedKey, partition: &Partition) {
        assert!(
            self.last.as_ref().is_none_or(|last| last < key),
            "partitions come in key order"
        );
        let mut static_payload = Vec::new();
        let static_row = (!partition.static_row.is_empty()).then(|| {
            partition.static_row.encode_into(&mut static_payload);
            self.put(Kind::Static, &static_payload)
        });
        let rows = put_rows(self.section(Kind::Rows), partition);
        let deletions = put_deletions(self.section(Kind::Deletions), partition);
        let deletion = partition.deletion;
        Entry {
            key: key.clone(),
            deletion,
            static_row,
            rows,
            deletions,
        }
        .put(&mut self.entries);
        self.entries_first.get_or_insert_with(|| key.clone());
        self.totals.add(partition);
        self.tokens.push(key.token);
        self.first.get_or_insert_with(|| key.clone());
        self.last = Some(key.clone());
        if self.entries.len() >= self.block_size {
            self.cut_entries();
        }
    }

    fn cut_entries(&mut self) {
        if let Some(first) = self.entries_first.take() {
            let payload = std::mem::take(&mut self.entries);
            let handle = self.put(Kind::Entries, &payload);
            SummaryEntry { first, handle }.put(&mut self.summary);
        }
    }

    /// Appends all that follows the partitions.
    ///
    /// # Panics
    /// When there was no partition: an empty memtable leaves no sstable.
    pub(super) fn finish(&mut self) -> Statistics {
        self.cut_entries();
        let first = self.first.clone().expect("an sstable has a partition");
        let last = self.last.clone().expect("an sstable has a partition");
        let statistics = Statistics {
            interval: self.interval,
            first,
            last,
            totals: self.totals,
        };
        let summary = std::mem::take(&mut self.summary);
        let summary = self.put(Kind::Summary, &summary);
        let filter = self.put(Kind::Filter, &Filter::build(&self.tokens));
        let mut payload = Vec::new();
        statistics.put(&mut payload);
        let statistics_handle = self.put(Kind::Statistics, &payload);
        let file_size = self.offset() + u64::from(FOOTER_SIZE);
        Footer {
            statistics: statistics_handle,
            summary,
            filter,
            file_size,
        }
        .put(&mut self.out, self.name);
        statistics
    }
}

/// The bytes of the sstable that holds these partitions.
///
/// # Panics
/// When there is no partition, or the keys do not ascend.
#[must_use]
pub fn encode(
    name: SstableName,
    interval: Interval,
    block_size: usize,
    partitions: &[(DecoratedKey, Partition)],
) -> Vec<u8> {
    let mut builder = Builder::new(name, interval, block_size);
    for (key, partition) in partitions {
        builder.add(key, partition);
    }
    builder.finish();
    builder.drain().1
}
