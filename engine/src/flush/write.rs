//! Steps from a memtable to an sstable: write the file, sync it, sync its directory, open it for reading. Nothing
//! counts before the manifest says so.

use std::rc::Rc;

use crate::commitlog::Interval;
use crate::memtable::Memtable;
use crate::planted::{self, Plant};
use crate::sstable::{Sstable, SstableError, SstableId, SstableInfo, SstableName, SstableWriter};
use crate::store::{Added, Store, sync_data_dir};

use super::error::FlushError;

/// Writes the content of a memtable that takes no more writes and is not empty. `interval` is what it holds
/// of the commit log. The sstable is durable, name and all, but no table's yet.
///
/// # Errors
/// The machine's: then the file is removed, as far as that is possible.
pub async fn write_sstable(
    store: &Store,
    memtable: &Memtable,
    interval: Interval,
    block_size: u64,
) -> Result<(Added, Rc<Sstable>), FlushError> {
    let id = SstableId(store.manifest().next_id().await?);
    let name = SstableName {
        table: memtable.table(),
        id,
    };
    let written = write_file(store, name, memtable, interval, block_size).await;
    let opened = match written {
        Ok(info) => finish(store, info).await,
        Err(error) => Err(error.into()),
    };
    if opened.is_err() {
        store.remove_file(name).await;
    }
    opened
}

async fn write_file(
    store: &Store,
    name: SstableName,
    memtable: &Memtable,
    interval: Interval,
    block_size: u64,
) -> Result<SstableInfo, SstableError> {
    let block_size = usize::try_from(block_size).unwrap_or(usize::MAX);
    let mut writer = SstableWriter::create(&store.disk(), name, interval, block_size).await?;
    for (key, partition) in memtable.iter() {
        writer.add(&key, &partition).await?;
    }
    writer.finish().await
}

async fn finish(store: &Store, info: SstableInfo) -> Result<(Added, Rc<Sstable>), FlushError> {
    let disk = store.disk();
    if !planted::on(Plant::P05) {
        sync_data_dir(&disk).await?;
    }
    let sstable = Sstable::open(&disk, info.name).await?;
    let interval = info.statistics.interval;
    Ok((
        Added {
            name: info.name,
            size: info.size,
            interval,
        },
        Rc::new(sstable),
    ))
}
