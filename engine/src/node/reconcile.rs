//! Steps that make the schema's rows agree with the schema at a start: read them all; compare them with those that
//! the schema has; write what is missing or wrong, delete what is left over; flush that, in one edit.
//!
//! After a start without a crash there is nothing to write. A crash may have lost rows, or deletions of rows,
//! that the commit log had not synced; what is mended wins over all that any change before wrote.

use std::collections::BTreeMap;

use cenotaph_sim::host::Host;

use super::config::Config;
use super::replay::{Memtables, Sstables};
use crate::commitlog::Position;
use crate::error::Error;
use crate::keys::DecoratedKey;
use crate::rows::Partition;
use crate::schema::Schema;
use crate::store::{Edit, Store};
use crate::system::{Projection, RowChanges, Stamp, SystemTable};

/// Mends the rows, whose sstables are all there are after the replay. Adds the new ones to `sstables`.
pub(super) async fn reconcile(
    host: &Host,
    config: &Config,
    store: &Store,
    schema: &Schema,
    sstables: &mut Sstables,
) -> Result<(), Error> {
    let stored = stored(schema, sstables).await?;
    let changes = RowChanges::mending(&stored, &Projection::of_schema(schema));
    if changes.is_empty() {
        return Ok(());
    }
    let (missing, ghosts) = (changes.written_count(), changes.deleted_count());
    tracing::warn!(missing, ghosts, epoch = %schema.epoch(), "the schema's rows are mended");
    if missing > 0 {
        host.mark("schema.reconciled-missing");
    }
    if ghosts > 0 {
        host.mark("schema.reconciled-ghost");
    }
    let now = host.clock().wall().seconds().max(0);
    let now_seconds = u32::try_from(now).unwrap_or(u32::MAX);
    let size_max = config.commitlog.mutation_size_max();
    let mut memtables = Memtables::default();
    for mutation in changes.mutations(Stamp::mended(schema.epoch()), now_seconds, size_max) {
        memtables.put(mutation)?;
    }
    let log_floor = store
        .manifest()
        .with_contents(|contents| contents.log_floor());
    let upper = log_floor.unwrap_or(Position::NONE);
    memtables
        .flush(store, config, upper, Edit::default(), sstables)
        .await
}

/// What the sstables show of the schema's own tables.
async fn stored(schema: &Schema, sstables: &Sstables) -> Result<Projection, Error> {
    let mut stored = Projection::default();
    for table in SystemTable::ALL {
        let mut partitions: BTreeMap<DecoratedKey, Partition> = BTreeMap::new();
        for sstable in sstables.get(&table.id()).into_iter().flatten() {
            let mut scan = sstable.scan();
            while let Some((key, partition)) = scan.next().await? {
                partitions.entry(key).or_default().apply(partition);
            }
        }
        for (key, partition) in &partitions {
            stored.add(table, key, partition, schema.epoch())?;
        }
    }
    Ok(stored)
}
