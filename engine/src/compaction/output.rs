//! Steps of a compaction's output: create the file for the first partition that is left; write; sync it and its
//! directory; open it. Nothing counts before the manifest says so.

use std::rc::Rc;

use super::error::CompactionError;
use crate::commitlog::{Interval, Position};
use crate::keys::DecoratedKey;
use crate::rows::{Partition, TableId};
use crate::sstable::{Sstable, SstableId, SstableName, SstableWriter};
use crate::store::{Added, Store, sync_data_dir};

/// It brings nothing of the log: what its inputs brought stays settled in the manifest.
const NO_INTERVAL: Interval = Interval {
    lower: Position::NONE,
    upper: Position::NONE,
};

/// The sstable that a compaction writes, if it writes one.
pub(super) struct Output<'a> {
    store: &'a Store,
    table: TableId,
    block_size: usize,
    /// Of the file, from the moment in which it may be there.
    name: Option<SstableName>,
    writer: Option<SstableWriter>,
}

impl<'a> Output<'a> {
    pub(super) fn new(store: &'a Store, table: TableId, block_size: u64) -> Output<'a> {
        Output {
            store,
            table,
            block_size: usize::try_from(block_size).unwrap_or(usize::MAX),
            name: None,
            writer: None,
        }
    }

    /// Adds the next partition, which is not empty.
    pub(super) async fn add(
        &mut self,
        key: &DecoratedKey,
        partition: &Partition,
    ) -> Result<(), CompactionError> {
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => self.begin().await?,
        };
        writer.add(key, partition).await?;
        self.writer = Some(writer);
        Ok(())
    }

    async fn begin(&mut self) -> Result<SstableWriter, CompactionError> {
        let name = SstableName {
            table: self.table,
            id: SstableId(self.store.manifest().next_id().await?),
        };
        self.name = Some(name);
        let disk = self.store.disk();
        Ok(SstableWriter::create(&disk, name, NO_INTERVAL, self.block_size).await?)
    }

    /// Makes the sstable durable, name and all; `None` when nothing was added.
    pub(super) async fn finish(&mut self) -> Result<Option<(Added, Rc<Sstable>)>, CompactionError> {
        let Some(writer) = self.writer.take() else {
            return Ok(None);
        };
        let info = writer.finish().await?;
        let disk = self.store.disk();
        sync_data_dir(&disk).await?;
        let sstable = Sstable::open(&disk, info.name).await?;
        let added = Added {
            name: info.name,
            size: info.size,
            interval: NO_INTERVAL,
        };
        Ok(Some((added, Rc::new(sstable))))
    }

    /// Removes the file. Only while no edit of the manifest was tried.
    pub(super) async fn abandon(mut self) {
        drop(self.writer.take());
        if let Some(name) = self.name {
            self.store.remove_file(name).await;
        }
    }
}
