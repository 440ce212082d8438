//! Fault policy: a read gives all the bytes asked for, or an error that says where they are missing.

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
}

impl Named {
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
