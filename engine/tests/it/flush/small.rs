//! Vocabulary of the tests of `flush`: a store and a log without a node around them.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_engine::commitlog::{CommitLog, CommitLogOptions, Position, SyncMode, segment_ids};
use cenotaph_engine::error::Error;
use cenotaph_engine::flush::{FlushOptions, Flusher};
use cenotaph_engine::keys::Slice;
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::rows::{Mutation, Partition, TableId};
use cenotaph_engine::store::{ManifestOptions, Store, open_manifest};
use cenotaph_sim::host::Host;

use crate::sstable::build::{clustering, key, live_row};

pub(super) const TABLE: TableId = TableId(1);

/// A store with the tables 1 and 2, its log, and its flusher.
pub(super) struct Small {
    pub(super) store: Rc<Store>,
    pub(super) log: CommitLog,
    pub(super) flusher: Rc<Flusher>,
    pub(super) metrics: Rc<Metrics>,
}

pub(super) const FLUSH: FlushOptions = FlushOptions {
    memtable_size_max: 1 << 30,
    log_size_max: 1 << 30,
    block_size: 64,
    retry_millis: 5,
    flushes_per_table_max: 2,
};

impl Small {
    pub(super) async fn open(host: &Host, options: FlushOptions) -> Result<Small, Error> {
        let metrics = Rc::new(Metrics::default());
        let manifest_options = ManifestOptions {
            file_size_max: 4_096,
            id_block_size: 4,
        };
        let manifest = open_manifest(host, manifest_options).await?;
        let store = Rc::new(Store::new(host.clone(), manifest));
        let ids = {
            let store = Rc::clone(&store);
            segment_ids(move || {
                let store = Rc::clone(&store);
                async move { Ok(store.manifest().next_id().await?) }
            })
        };
        let log_options = CommitLogOptions {
            mode: SyncMode::Batch,
            segment_size: 1_024,
        };
        let log = CommitLog::start(host, log_options, Rc::clone(&metrics), ids).await?;
        for table in [1, 2] {
            store.add_table(TableId(table), log.position(), Vec::new());
        }
        let (shared, counted) = (Rc::clone(&store), Rc::clone(&metrics));
        let flusher = Flusher::new(host.clone(), shared, log.clone(), counted, options);
        Ok(Small {
            store,
            log,
            flusher: Rc::new(flusher),
            metrics,
        })
    }

    /// Writes one row, as a node does.
    pub(super) async fn write(&self, table: TableId, number: u32) -> Result<Position, Error> {
        let mut update = Partition::default();
        update.apply_row(clustering(1), live_row(10, &[7; 40]));
        let mutation = Mutation {
            table,
            key: key(number),
            update,
        };
        let store = self.store.table(table)?;
        let ticket = store.ticket()?;
        let reservation = self.log.reserve(table, &mutation.encode())?;
        let position = reservation.position();
        self.log.commit(reservation).await?;
        ticket.memtable().put(mutation).unwrap();
        drop(ticket);
        self.flusher.after_write(&store);
        Ok(position)
    }

    /// Whether some source of the table has the row.
    pub(super) async fn holds(&self, table: TableId, number: u32) -> Result<bool, Error> {
        let view = self.store.table(table)?.view();
        if view
            .memtables()
            .any(|slot| slot.memtable().get(&key(number), &Slice::ALL).is_some())
        {
            return Ok(true);
        }
        for sstable in &view.sstables {
            if sstable.get(&key(number), &Slice::ALL).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The value that the tests write.
pub(super) fn value() -> Bytes {
    Bytes::from_static(&[7; 40])
}
