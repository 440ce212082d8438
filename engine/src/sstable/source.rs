//! Fault policy: a read gives all the bytes asked for, or an error that says where they are missing.
//!
//! While a file is being opened its last bytes are at hand, fetched at once: all that an opening reads
//! lies there, and in a small file everything does.

use bytes::{Bytes, BytesMut};
use cenotaph_sim::host::File;

use super::error::{Flaw, SstableError};
use crate::error::IoFailure;

/// Where the bytes of an sstable come from.
#[derive(Debug)]
pub(super) enum Source {
    /// A file of the node.
    File(File),
    /// Bytes at hand: a fuzzer's, a test's.
    Memory(Bytes),
}

/// A source with the name that errors carry.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) path: String,
    pub(super) source: Source,
    /// Offset and bytes of the file's end, as long as they are kept.
    tail: Option<(u64, Bytes)>,
}

/// Bytes of a file's end that an opening fetches at once.
const TAIL_SIZE: u64 = 4096;

impl Named {
    pub(super) const fn new(path: String, source: Source) -> Named {
        Named {
            path,
            source,
            tail: None,
        }
    }

    /// Fetches the end of a file of this size, for reads until [`Named::forget_tail`].
    pub(super) async fn fetch_tail(&mut self, file_size: u64) -> Result<(), SstableError> {
        let size = file_size.min(TAIL_SIZE);
        let offset = file_size - size;
        let size = usize::try_from(size).expect("a tail is small");
        self.tail = Some((offset, self.read(offset, size).await?));
        Ok(())
    }

    /// From here on every read asks the file again.
    pub(super) fn forget_tail(&mut self) {
        self.tail = None;
    }

    fn in_tail(&self, offset: u64, size: usize) -> Option<Bytes> {
        let (tail_offset, tail) = self.tail.as_ref()?;
        let start = usize::try_from(offset.checked_sub(*tail_offset)?).ok()?;
        let end = start.checked_add(size)?;
        (end <= tail.len()).then(|| tail.slice(start..end))
    }

    /// Size of the whole file.
    pub(super) async fn size(&self) -> Result<u64, SstableError> {
        match &self.source {
            Source::File(file) => Ok(file
                .len()
                .await
                .map_err(|error| IoFailure::new("measure", &self.path, &error))?),
            Source::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    async fn read_some(&self, offset: u64, size: usize) -> Result<Bytes, SstableError> {
        match &self.source {
            Source::File(file) => {
                let read = file.read_at(offset, size).await;
                Ok(read.map_err(|error| IoFailure::new("read", &self.path, &error))?)
            }
            Source::Memory(bytes) => {
                let start = usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let end = start.saturating_add(size).min(bytes.len());
                Ok(bytes.slice(start..end))
            }
        }
    }

    /// Exactly `size` bytes from `offset` on; short reads go on.
    pub(super) async fn read(&self, offset: u64, size: usize) -> Result<Bytes, SstableError> {
        if let Some(bytes) = self.in_tail(offset, size) {
            return Ok(bytes);
        }
        let first = self.read_some(offset, size).await?;
        if first.len() == size {
            return Ok(first);
        }
        let mut all = BytesMut::from(first.as_ref());
        while all.len() < size {
            let more = self
                .read_some(offset + all.len() as u64, size - all.len())
                .await?;
            if more.is_empty() {
                return Err(Flaw::Ends.at(&self.path, offset + all.len() as u64));
            }
            all.extend_from_slice(&more);
        }
        Ok(all.freeze())
    }
}
