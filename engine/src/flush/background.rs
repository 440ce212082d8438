//! Steps of the background: wait until a memtable or the log is too large; flush the table, or the tables that
//! need the oldest segment; after a failure wait a while.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::Notify;

use super::error::FlushError;
use super::options::FlushOptions;
use crate::commitlog::CommitLog;
use crate::metrics::Metrics;
use crate::rows::TableId;
use crate::store::{Store, StoreError, TableStore};

/// Flushes the tables of a node, when asked to and by itself.
#[derive(Debug)]
pub struct Flusher {
    pub(super) host: Host,
    pub(super) store: Rc<Store>,
    pub(super) log: CommitLog,
    pub(super) metrics: Rc<Metrics>,
    pub(super) options: FlushOptions,
    /// Tables that are too large, or hold back the log.
    wanted: RefCell<BTreeSet<TableId>>,
    /// The segment that the last look at the log's size saw as the newest.
    segment_seen: Cell<u64>,
    work: Notify,
}

impl Flusher {
    /// A flusher that does nothing by itself until [`Flusher::run`] is spawned.
    #[must_use]
    pub fn new(
        host: Host,
        store: Rc<Store>,
        log: CommitLog,
        metrics: Rc<Metrics>,
        options: FlushOptions,
    ) -> Flusher {
        let segment_seen = Cell::new(log.position().segment);
        let wanted = RefCell::default();
        Flusher {
            host,
            store,
            log,
            metrics,
            options,
            wanted,
            segment_seen,
            work: Notify::new(),
        }
    }

    /// Looks whether a write made something too large. Costs no more than the write, but once a segment.
    pub fn after_write(&self, table: &TableStore) {
        let mut wanted = self.wanted.borrow_mut();
        let before_count = wanted.len();
        if table.view().current.memtable().size_bytes() >= self.options.memtable_size_max {
            wanted.insert(table.id());
        }
        let segment = self.log.position().segment;
        if self.segment_seen.replace(segment) != segment {
            wanted.extend(self.oldest_when_too_large());
        }
        if wanted.len() > before_count {
            self.work.notify_one();
        }
    }

    /// The tables that need the oldest segment, when the log is too large.
    fn oldest_when_too_large(&self) -> Vec<TableId> {
        let segments = self.log.dirty();
        let size = segments.len() as u64 * self.log.options().segment_size;
        if size <= self.options.log_size_max {
            return Vec::new();
        }
        let oldest = segments.into_iter().find(|(_, tables)| !tables.is_empty());
        oldest.map_or_else(Vec::new, |(_, tables)| tables)
    }

    /// Flushes whatever is wanted, for ever.
    pub async fn run(self: Rc<Self>) {
        loop {
            let work = self.work.notified();
            let round = self.wanted.take();
            if round.is_empty() {
                work.await;
                continue;
            }
            let mut failed = BTreeSet::new();
            for id in round {
                match self.flush_table(id).await {
                    Ok(()) | Err(FlushError::Store(StoreError::NoTable { .. })) => {}
                    Err(_) => drop(failed.insert(id)),
                }
            }
            if !failed.is_empty() {
                self.wanted.borrow_mut().extend(failed);
                let pause = Duration::from_millis(self.options.retry_millis);
                self.host.clock().sleep(pause).await;
            }
        }
    }
}
