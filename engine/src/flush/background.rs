//! Steps of the background, in a few tasks beside each other: wait until a memtable or the log is too large;
//! flush the table, or the tables that need the oldest segment; after a failure wait a while.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
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
    wanted: RefCell<Wanted>,
    /// The segment that the last look at the log's size saw as the newest.
    segment_seen: Cell<u64>,
    work: Notify,
}

/// Tables that are to be flushed, each once, and the first asked for first: so those whose flushes fail keep
/// no other waiting for ever.
#[derive(Debug, Default)]
struct Wanted {
    queue: VecDeque<TableId>,
    queued: BTreeSet<TableId>,
}

impl Wanted {
    /// Whether the table was not wanted yet.
    fn push(&mut self, id: TableId) -> bool {
        let is_new = self.queued.insert(id);
        if is_new {
            self.queue.push_back(id);
        }
        is_new
    }

    fn pop(&mut self) -> Option<TableId> {
        let id = self.queue.pop_front()?;
        self.queued.remove(&id);
        Some(id)
    }
}

impl Flusher {
    /// A flusher that does nothing by itself before [`Flusher::start`].
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
        if table.view().current.memtable().size_bytes() >= self.options.memtable_size_max {
            self.want(table.id());
        }
        let segment = self.log.position().segment;
        if self.segment_seen.replace(segment) != segment {
            for id in self.oldest_when_too_large() {
                self.want(id);
            }
        }
    }

    fn want(&self, id: TableId) {
        if self.wanted.borrow_mut().push(id) {
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

    /// Starts the tasks that flush by themselves: as many as may flush one table at a time, so that the next
    /// memtable need not wait for the last one.
    pub fn start(self: &Rc<Self>) {
        for _ in 0..self.options.flushes_per_table_max {
            self.host.spawn("flusher", Rc::clone(self).run());
        }
    }

    /// Flushes whatever is wanted, for ever.
    async fn run(self: Rc<Self>) {
        loop {
            let work = self.work.notified();
            let Some(id) = self.take_wanted() else {
                work.await;
                continue;
            };
            match self.flush_table(id).await {
                Ok(()) | Err(FlushError::Store(StoreError::NoTable { .. })) => {}
                Err(_) => {
                    let pause = Duration::from_millis(self.options.retry_millis);
                    self.host.clock().sleep(pause).await;
                    self.want(id);
                }
            }
        }
    }

    /// The next table to flush. What else is wanted wakes the next task.
    fn take_wanted(&self) -> Option<TableId> {
        let mut wanted = self.wanted.borrow_mut();
        let id = wanted.pop()?;
        if !wanted.queue.is_empty() {
            self.work.notify_one();
        }
        Some(id)
    }
}
