//! Steps: opening checks the header and reads footer, statistics, summary and filter; a read goes filter,
//! summary, one block of partition entries, then those blocks of the partition that meet the slice, or all of
//! them in one go when they are small.

use std::collections::VecDeque;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use cenotaph_sim::host::{Disk, OpenMode};

use super::content::{take_deletions, take_rows, take_static};
use super::entry::{Entry, SummaryEntry, open_entries, open_summary};
use super::error::{Flaw, SstableError};
use super::filter::Filter;
use super::id::SstableName;
use super::layout::{
    BLOCK_HEAD_SIZE, FOOTER_SIZE, Footer, HEADER_SIZE, Handle, Kind, check_header, open_block,
};
use super::section::{Section, open_index};
use super::source::{Named, Source};
use super::statistics::{Statistics, Totals};
use crate::error::IoFailure;
use crate::keys::{DecoratedKey, Slice};
use crate::rows::wire::Input;
use crate::rows::{Partition, RowsError};

/// An sstable open for reading. It never changes.
#[derive(Debug)]
pub struct Sstable {
    name: SstableName,
    file: Named,
    size: u64,
    statistics: Statistics,
    summary: Vec<SummaryEntry>,
    filter: Filter,
}

impl Sstable {
    /// Opens the file of this name.
    ///
    /// # Errors
    /// The machine's, or the first damage found in what is read here.
    pub async fn open(disk: &Disk, name: SstableName) -> Result<Sstable, SstableError> {
        let path = name.path();
        match disk.open(&path, OpenMode::Read).await {
            Ok(file) => Sstable::load(Named::new(path, Source::File(file)), name).await,
            Err(error) => Err(IoFailure::new("open", &path, &error).into()),
        }
    }

    /// Opens an sstable whose bytes are at hand.
    ///
    /// # Errors
    /// The first damage found in what is read here.
    pub fn from_bytes(name: SstableName, bytes: Bytes) -> Result<Sstable, SstableError> {
        ready(Sstable::load(
            Named::new(name.path(), Source::Memory(bytes)),
            name,
        ))
    }

    async fn load(mut file: Named, name: SstableName) -> Result<Sstable, SstableError> {
        let size = file.size().await?;
        let size_min = u64::from(HEADER_SIZE + FOOTER_SIZE);
        if size < size_min {
            let flaw = Flaw::FileSize {
                expected: size_min,
                actual: size,
            };
            return Err(flaw.at(&file.path, 0));
        }
        file.fetch_tail(size).await?;
        let header = file.read(0, HEADER_SIZE as usize).await?;
        check_header(&header, name).map_err(|flaw| flaw.at(&file.path, 0))?;
        let footer_offset = size - u64::from(FOOTER_SIZE);
        let footer = file.read(footer_offset, FOOTER_SIZE as usize).await?;
        let footer =
            Footer::open(&footer, name, size).map_err(|flaw| flaw.at(&file.path, footer_offset))?;
        let blocks = Blocks {
            name,
            file: &file,
            size,
            at_hand: None,
        };
        let statistics = blocks
            .read(footer.statistics, Kind::Statistics, Statistics::open)
            .await?;
        let summary = blocks
            .read(footer.summary, Kind::Summary, open_summary)
            .await?;
        let filter = blocks
            .read(footer.filter, Kind::Filter, Filter::open)
            .await?;
        if summary
            .first()
            .is_none_or(|entry| entry.first != statistics.first)
        {
            let flaw = Flaw::Content("another first key than the summary's");
            return Err(flaw.at(&file.path, footer.statistics.offset));
        }
        file.forget_tail();
        Ok(Sstable {
            name,
            file,
            size,
            statistics,
            summary,
            filter,
        })
    }

    /// Which one it is.
    #[must_use]
    pub fn name(&self) -> SstableName {
        self.name
    }

    /// Bytes of its file.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What it holds.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// False when it surely holds nothing of a partition. Reads nothing.
    #[must_use]
    pub fn may_hold(&self, key: &DecoratedKey) -> bool {
        *key >= self.statistics.first
            && *key <= self.statistics.last
            && self.filter.may_hold(key.token)
    }

    fn blocks(&self) -> Blocks<'_> {
        Blocks {
            name: self.name,
            file: &self.file,
            size: self.size,
            at_hand: None,
        }
    }

    /// What it holds of a partition within a slice, range tombstones clipped to it; none when it has no
    /// such partition. The static row and the partition deletion belong to every slice.
    ///
    /// # Errors
    /// The machine's, or damage to any block the answer needs.
    pub async fn get(
        &self,
        key: &DecoratedKey,
        slice: &Slice,
    ) -> Result<Option<Partition>, SstableError> {
        match self.entry(key).await? {
            Some(entry) => self.partition(&entry, slice).await.map(Some),
            None => Ok(None),
        }
    }

    /// Of what it holds of a partition only what lies apart from the rows: its deletion, and those of ranges and
    /// rows. No row is read.
    ///
    /// # Errors
    /// As of [`get`](Self::get).
    pub async fn deletions_of(
        &self,
        key: &DecoratedKey,
    ) -> Result<Option<Partition>, SstableError> {
        let Some(entry) = self.entry(key).await? else {
            return Ok(None);
        };
        let apart = Entry {
            static_row: None,
            rows: None,
            ..entry
        };
        self.partition(&apart, &Slice::ALL).await.map(Some)
    }

    /// The entry of a partition, when there is one.
    async fn entry(&self, key: &DecoratedKey) -> Result<Option<Entry>, SstableError> {
        if !self.may_hold(key) {
            return Ok(None);
        }
        let after = self.summary.partition_point(|entry| entry.first <= *key);
        let Some(index) = after.checked_sub(1) else {
            return Ok(None);
        };
        let mut entries = self.entries(index).await?;
        let found = entries.binary_search_by(|entry| entry.key.cmp(key));
        Ok(found.ok().map(|found| entries.swap_remove(found)))
    }

    /// The block of partition entries that the summary names at this index.
    async fn entries(&self, index: usize) -> Result<Vec<Entry>, SstableError> {
        let summary = &self.summary[index];
        let entries = self
            .blocks()
            .read(summary.handle, Kind::Entries, open_entries)
            .await?;
        let next = self.summary.get(index + 1).map(|next| &next.first);
        let fits = entries
            .first()
            .is_some_and(|first| first.key == summary.first)
            && entries
                .last()
                .is_some_and(|last| next.is_none_or(|next| last.key < *next));
        if fits {
            return Ok(entries);
        }
        let flaw = Flaw::Content("other partitions than the summary's");
        Err(flaw.at(&self.file.path, summary.handle.offset))
    }

    async fn partition(&self, entry: &Entry, slice: &Slice) -> Result<Partition, SstableError> {
        let mut partition = Partition {
            deletion: entry.deletion,
            ..Partition::default()
        };
        let mut blocks = self.blocks();
        let fetched = blocks.fetch_small(entry).await?;
        blocks.at_hand = fetched.as_ref();
        if let Some(handle) = entry.static_row {
            partition.static_row = blocks.read(handle, Kind::Static, take_static).await?;
        }
        if let Some(section) = entry.rows {
            for handle in blocks.section(section, Kind::RowIndex, slice).await? {
                let add = |input: &mut Input<'_>| take_rows(input, slice, &mut partition);
                blocks.read(handle, Kind::Rows, add).await?;
            }
        }
        if let Some(section) = entry.deletions {
            for handle in blocks.section(section, Kind::DeletionIndex, slice).await? {
                let add = |input: &mut Input<'_>| take_deletions(input, slice, &mut partition);
                blocks.read(handle, Kind::Deletions, add).await?;
            }
        }
        if partition.is_canonical() {
            return Ok(partition);
        }
        let offset = entry
            .rows
            .or(entry.deletions)
            .map_or(0, |section| section.offset);
        Err(
            Flaw::Content("a partition that holds what its own deletions shadow")
                .at(&self.file.path, offset),
        )
    }

    /// Every partition, in key order.
    #[must_use]
    pub fn scan(&self) -> Scan<'_> {
        Scan {
            sstable: self,
            next_block: 0,
            entries: VecDeque::new(),
            totals: Totals::default(),
        }
    }
}

/// Walks over every partition of an sstable.
#[derive(Debug)]
pub struct Scan<'a> {
    sstable: &'a Sstable,
    next_block: usize,
    entries: VecDeque<Entry>,
    totals: Totals,
}

impl Scan<'_> {
    /// The next partition; none at the end, once all that was seen agrees with the statistics.
    ///
    /// # Errors
    /// The machine's, or damage to any block of the partition.
    pub async fn next(&mut self) -> Result<Option<(DecoratedKey, Partition)>, SstableError> {
        while self.entries.is_empty() {
            if self.next_block == self.sstable.summary.len() {
                return self.check_totals().map(|()| None);
            }
            self.entries = self.sstable.entries(self.next_block).await?.into();
            self.next_block += 1;
        }
        let Some(entry) = self.entries.pop_front() else {
            return Ok(None);
        };
        let partition = self.sstable.partition(&entry, &Slice::ALL).await?;
        self.totals.add(&partition);
        Ok(Some((entry.key, partition)))
    }

    fn check_totals(&self) -> Result<(), SstableError> {
        if self.sstable.statistics.totals == self.totals {
            return Ok(());
        }
        Err(Flaw::Totals.at(&self.sstable.file.path, 0))
    }
}

/// Reads checked blocks.
#[derive(Clone, Copy, Debug)]
struct Blocks<'a> {
    name: SstableName,
    file: &'a Named,
    /// Size of the file: no handle may point past it.
    size: u64,
    /// Offset and bytes of a part of the file that was fetched before.
    at_hand: Option<&'a (u64, Bytes)>,
}

/// A partition whose blocks take no more than this is fetched at once: one read of a page costs less than one
/// for each block.
const FETCH_SIZE_MAX: u64 = 4_096;

impl Blocks<'_> {
    /// Fetches all blocks of a partition when they are small, and more than one.
    async fn fetch_small(self, entry: &Entry) -> Result<Option<(u64, Bytes)>, SstableError> {
        let Some((start, end)) = entry.extent() else {
            return Ok(None);
        };
        if end > self.size || end - start > FETCH_SIZE_MAX {
            return Ok(None);
        }
        let size = usize::try_from(end - start).expect("checked to be small");
        Ok(Some((start, self.file.read(start, size).await?)))
    }

    /// The bytes of a block.
    async fn bytes(self, handle: Handle) -> Result<Bytes, SstableError> {
        let size = handle.size as usize;
        let within = self.at_hand.and_then(|(offset, bytes)| {
            let start = usize::try_from(handle.offset.checked_sub(*offset)?).ok()?;
            let end = start.checked_add(size)?;
            (end <= bytes.len()).then(|| bytes.slice(start..end))
        });
        match within {
            Some(bytes) => Ok(bytes),
            None => self.file.read(handle.offset, size).await,
        }
    }

    /// Reads one block and parses its payload; every failure names the block.
    async fn read<T>(
        self,
        handle: Handle,
        kind: Kind,
        parse: impl FnOnce(&mut Input<'_>) -> Result<T, RowsError>,
    ) -> Result<T, SstableError> {
        let path = &self.file.path;
        let end = handle.offset.checked_add(u64::from(handle.size));
        if end.is_none_or(|end| end > self.size) {
            return Err(Flaw::Handle.at(path, handle.offset));
        }
        let bytes = self.bytes(handle).await?;
        let payload = open_block(&bytes, self.name, handle.offset, kind)
            .map_err(|flaw| flaw.at(path, handle.offset))?;
        parse(&mut Input::new(&payload)).map_err(|error| {
            let (within, cause) = match error {
                RowsError::Malformed { offset, cause } => (offset as u64, cause),
                RowsError::ReservedTimestamp | RowsError::UnknownVersion { .. } => {
                    (0, "rows of another format")
                }
            };
            Flaw::Content(cause).at(path, handle.offset + u64::from(BLOCK_HEAD_SIZE) + within)
        })
    }

    /// The blocks of a section that meet the slice, in order.
    async fn section(
        self,
        section: Section,
        index_kind: Kind,
        slice: &Slice,
    ) -> Result<Vec<Handle>, SstableError> {
        let Some(index) = section.index() else {
            return Ok(vec![section.single()]);
        };
        let entries = self
            .read(index, index_kind, |input| open_index(input, section))
            .await?;
        Ok(entries
            .iter()
            .filter(|entry| entry.meets(slice))
            .map(|entry| entry.handle)
            .collect())
    }
}

/// The output of a future that never waits.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("bytes in memory never make a reader wait"),
    }
}

/// Every partition of an sstable whose bytes are at hand.
///
/// # Errors
/// The first damage found.
pub fn decode(
    name: SstableName,
    bytes: Bytes,
) -> Result<Vec<(DecoratedKey, Partition)>, SstableError> {
    let sstable = Sstable::from_bytes(name, bytes)?;
    ready(async {
        let mut partitions = Vec::new();
        let mut scan = sstable.scan();
        while let Some(partition) = scan.next().await? {
            partitions.push(partition);
        }
        Ok(partitions)
    })
}
