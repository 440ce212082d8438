//! Steps: create the file, stream the builder's bytes, sync. The name is durable only after the
//! directory is synced, and the sstable is one only once the manifest says so: both are the caller's.

use std::io;

use bytes::Bytes;
use cenotaph_sim::host::{Disk, File, OpenMode};

use super::builder::Builder;
use super::error::SstableError;
use super::id::SstableName;
use super::statistics::Statistics;
use crate::commitlog::Interval;
use crate::error::IoFailure;
use crate::keys::DecoratedKey;
use crate::rows::Partition;

/// Bytes gathered before they are written.
const BUFFER_SIZE: usize = 64 * 1024;

/// A new sstable on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SstableInfo {
    /// Which one.
    pub name: SstableName,
    /// Bytes of its file.
    pub size: u64,
    /// What it holds.
    pub statistics: Statistics,
}

/// Writes one sstable.
#[derive(Debug)]
pub struct SstableWriter {
    name: SstableName,
    path: String,
    file: File,
    builder: Builder,
}

impl SstableWriter {
    /// Creates the file. `interval` is what the memtable held of the commit log, `block_size` the payload
    /// bytes at which a block is cut.
    ///
    /// # Errors
    /// The machine's; `AlreadyExists` is one, since ids are never used again.
    pub async fn create(
        disk: &Disk,
        name: SstableName,
        interval: Interval,
        block_size: usize,
    ) -> Result<SstableWriter, SstableError> {
        let path = name.path();
        match disk.open(&path, OpenMode::CreateNew).await {
            Ok(file) => {
                let builder = Builder::new(name, interval, block_size);
                Ok(SstableWriter {
                    name,
                    path,
                    file,
                    builder,
                })
            }
            Err(error) => Err(IoFailure::new("create", &path, &error).into()),
        }
    }

    /// Adds the next partition.
    ///
    /// # Errors
    /// The machine's.
    ///
    /// # Panics
    /// When the key is not above the last one.
    pub async fn add(
        &mut self,
        key: &DecoratedKey,
        partition: &Partition,
    ) -> Result<(), SstableError> {
        self.builder.add(key, partition);
        if self.builder.pending() >= BUFFER_SIZE {
            self.write().await
        } else {
            Ok(())
        }
    }

    /// Writes what is left and makes the content durable.
    ///
    /// # Errors
    /// The machine's. After one the file is of no use: write another under another id.
    ///
    /// # Panics
    /// When no partition was added.
    pub async fn finish(mut self) -> Result<SstableInfo, SstableError> {
        let statistics = self.builder.finish();
        self.write().await?;
        self.file
            .sync_all()
            .await
            .map_err(|error| self.error("sync", &error))?;
        let (size, _) = self.builder.drain();
        Ok(SstableInfo {
            name: self.name,
            size,
            statistics,
        })
    }

    async fn write(&mut self) -> Result<(), SstableError> {
        let (mut offset, bytes) = self.builder.drain();
        let mut bytes = Bytes::from(bytes);
        while !bytes.is_empty() {
            let written = self.file.write_at(offset, bytes.clone()).await;
            let written = written.map_err(|error| self.error("write", &error))?;
            if written == 0 || written > bytes.len() {
                return Err(self.error("write", &io::ErrorKind::WriteZero.into()));
            }
            bytes = bytes.split_off(written);
            offset += written as u64;
        }
        Ok(())
    }

    fn error(&self, operation: &'static str, error: &io::Error) -> SstableError {
        IoFailure::new(operation, &self.path, error).into()
    }
}
