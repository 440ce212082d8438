//! Steps of a write-ahead log: a record is written and synced, then acknowledged; a full segment is
//! followed by a new one; opening reads every segment up to its first torn record.

use std::io;

use bytes::Bytes;
use cenotaph_sim::entropy::hash_bytes;
use cenotaph_sim::host::{Disk, File, OpenMode};
use tracing::info;

/// A segment with so many bytes is full.
const SEGMENT_SIZE: u64 = 1024;

/// Bytes before a record's payload: its size, and a hash of it.
const HEADER_SIZE: usize = 12;

/// What the log does about the names of its segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// The directory is synced when the log is opened, and forgotten when a segment follows another.
    SyncedAtOpen,
    /// The directory is synced after each new segment.
    SyncedAlways,
}

/// A log in `log-0`, `log-1` and so on.
pub(crate) struct Log {
    disk: Disk,
    names: Names,
    file: File,
    segment: u32,
    size: u64,
}

impl Log {
    /// Reads back what is there, and opens the log with a segment of its own, so that nothing is ever
    /// appended to a torn one.
    pub(crate) async fn open(disk: Disk, names: Names) -> io::Result<(Log, Vec<Bytes>)> {
        let mut segments: Vec<u32> = Vec::new();
        for name in disk.list("").await? {
            segments.extend(
                name.strip_prefix("log-")
                    .and_then(|number| number.parse::<u32>().ok()),
            );
        }
        segments.sort_unstable();
        let mut records = Vec::new();
        for segment in &segments {
            let file = disk.open(&format!("log-{segment}"), OpenMode::Read).await?;
            let size = usize::try_from(file.len().await?).expect("segments are small");
            read_records(file.read_at(0, size).await?, &mut records);
        }
        info!(
            "log opens: {} segments, {} records",
            segments.len(),
            records.len()
        );
        let segment = segments.last().map_or(0, |last| last + 1);
        let file = disk
            .open(&format!("log-{segment}"), OpenMode::CreateNew)
            .await?;
        disk.sync_dir("").await?;
        let log = Log {
            disk,
            names,
            file,
            segment,
            size: 0,
        };
        Ok((log, records))
    }

    /// Appends a record; it survives every crash from then on.
    pub(crate) async fn append(&mut self, payload: &[u8]) -> io::Result<()> {
        if self.size >= SEGMENT_SIZE {
            (self.segment, self.size) = (self.segment + 1, 0);
            let name = format!("log-{}", self.segment);
            self.file = self.disk.open(&name, OpenMode::CreateNew).await?;
            if self.names == Names::SyncedAlways {
                self.disk.sync_dir("").await?;
            }
        }
        let mut record = u32::try_from(payload.len())
            .expect("records are small")
            .to_le_bytes()
            .to_vec();
        record.extend(hash_bytes(0, payload).to_le_bytes());
        record.extend(payload);
        let mut rest = Bytes::from(record);
        while !rest.is_empty() {
            let written = self.file.write_at(self.size, rest.clone()).await?;
            self.size += written as u64;
            rest = rest.slice(written..);
        }
        self.file.sync_data().await?;
        info!("log-{} is synced up to byte {}", self.segment, self.size);
        Ok(())
    }
}

/// Takes the records of a segment up to the first that is torn.
fn read_records(mut bytes: Bytes, records: &mut Vec<Bytes>) {
    while bytes.len() > HEADER_SIZE {
        let header = bytes.split_to(HEADER_SIZE);
        let (size, hash) = header.split_at(4);
        let size = u32::from_le_bytes(size.try_into().expect("four bytes")) as usize;
        if bytes.len() < size || hash_bytes(0, &bytes[..size]).to_le_bytes() != hash {
            return;
        }
        records.push(bytes.split_to(size));
    }
}
