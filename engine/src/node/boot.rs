//! Steps of a start, each durable before the next relies on it: the lock; the metadata log; the manifest;
//! what is left of dropped tables goes from the manifest; unknown files go; sstables are opened; the commit
//! log is replayed and what it gave is flushed; the replayed segments go; the schema's rows are made to agree
//! with the schema; a new segment begins.
//!
//! Fault policy: whatever contradicts what was once synced ends the start with an error, and removes nothing.

use std::io;
use std::rc::Rc;

use cenotaph_sim::host::{Host, Lock};

use super::config::Config;
use super::error::NodeError;
use super::reconcile::reconcile;
use super::replay::replay;
use crate::commitlog::{CommitLog, segment_ids};
use crate::error::{Error, IoFailure};
use crate::metadata::Metadata;
use crate::metrics::Metrics;
use crate::rows::TableId;
use crate::schema::Schema;
use crate::store::{
    Manifest, Store, StoreError, open_manifest, open_sstables, remove_unknown_files,
};
use crate::system::SystemTable;

const LOCK_PATH: &str = "lock";

/// What a node runs on.
#[derive(Debug)]
pub(super) struct Booted {
    /// Held as long as the node runs.
    pub(super) lock: Lock,
    pub(super) metadata: Metadata,
    pub(super) store: Rc<Store>,
    pub(super) log: CommitLog,
    pub(super) metrics: Rc<Metrics>,
}

pub(super) async fn boot(host: &Host, config: &Config) -> Result<Booted, Error> {
    config.check()?;
    let metrics = Rc::new(Metrics::default());
    let lock = take_lock(host).await?;
    let metadata = Metadata::open(host, config.metadata, Rc::clone(&metrics)).await?;
    let schema = metadata.current();
    tracing::info!(epoch = %schema.epoch(), tables = schema.table_count(), "metadata log replayed");
    let manifest = open_manifest(host, config.manifest).await?;
    let dropped = dropped_tables(&manifest, &schema)?;
    let store = Rc::new(Store::new(host.clone(), manifest));
    store.remove_sstables(&dropped).await?;
    remove_unknown_files(host, store.manifest(), &metrics).await?;
    let mut sstables = open_sstables(&store.disk(), store.manifest(), &metrics).await?;
    replay(host, config, &store, &schema, &metrics, &mut sstables).await?;
    reconcile(host, config, &store, &schema, &mut sstables).await?;
    let log = begin_log(host, config, &store, &metrics).await?;
    let system = SystemTable::ALL.map(SystemTable::id);
    let ids = schema.tables().map(|table| table.id).chain(system);
    for id in ids {
        let held = sstables.remove(&id).unwrap_or_default();
        store.add_table(id, log.position(), held);
    }
    tracing::info!(position = %log.position(), "node started");
    Ok(Booted {
        lock,
        metadata,
        store,
        log,
        metrics,
    })
}

async fn take_lock(host: &Host) -> Result<Lock, Error> {
    match host.disk().lock(LOCK_PATH).await {
        Ok(lock) => Ok(lock),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(NodeError::Locked.into()),
        Err(error) => Err(IoFailure::new("lock", LOCK_PATH, &error).into()),
    }
}

/// Tables that the manifest still knows, and the schema knows to be no more.
fn dropped_tables(manifest: &Manifest, schema: &Schema) -> Result<Vec<TableId>, StoreError> {
    manifest.with_contents(|contents| {
        let is_gone =
            |id: &TableId| schema.table(*id).is_none() && SystemTable::of_id(*id).is_none();
        let gone = contents.tables().filter(is_gone);
        gone.map(|id| match schema.dropped_at(id) {
            Some(_) => Ok(id),
            None => {
                let first = contents.sstables_of(id).next();
                let file = first.map_or_else(String::new, |added| added.name.path());
                Err(StoreError::TableUnknown { file })
            }
        })
        .collect()
    })
}

async fn begin_log(
    host: &Host,
    config: &Config,
    store: &Rc<Store>,
    metrics: &Rc<Metrics>,
) -> Result<CommitLog, Error> {
    let ids = {
        let store = Rc::clone(store);
        segment_ids(move || {
            let store = Rc::clone(&store);
            async move { Ok(store.manifest().next_id().await?) }
        })
    };
    Ok(CommitLog::start(host, config.commitlog, Rc::clone(metrics), ids).await?)
}
