//! Invariants of the schema's flush: whenever rows of a change are in a memtable and in no sstable, a flush is
//! armed, or under way and begun after they came. At most one is armed, one under way.
//!
//! A flush is armed by the first change after the last one began, and due a window later, whatever comes
//! meanwhile. It is disarmed when it begins, before the first memtable is switched: a change that comes from
//! then on arms the next. With a window of 0 each change flushes before its answer, and takes with it what
//! was armed. A new window is for changes to come: what is armed stays due when it was.
//!
//! Fault policy: a failed flush is told to nobody but counted and warned of, for the rows are in the commit log.
//! It is armed again after the pause that the background takes too; else the log could not be given back
//! until the next change.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::sync::{Notify, Semaphore, timeout};
use cenotaph_sim::time::Instant;

use super::background::Flusher;
use super::error::FlushError;
use crate::planted::{self, Plant};
use crate::system::SystemTable;

/// Flushes the schema's own tables, once for all changes of a window.
#[derive(Debug)]
pub struct SchemaFlush {
    flusher: Rc<Flusher>,
    window_millis: Cell<u64>,
    /// When the armed flush is due, by the monotonic clock; `None` while none is armed.
    due: Cell<Option<Instant>>,
    /// The node drains: nothing is armed any more.
    is_closed: Cell<bool>,
    /// One flush at a time.
    turn: Semaphore,
    work: Notify,
}

impl SchemaFlush {
    /// Nothing is armed; what is due waits until [`SchemaFlush::run`] is spawned.
    #[must_use]
    pub fn new(flusher: Rc<Flusher>, window_millis: u64) -> SchemaFlush {
        SchemaFlush {
            flusher,
            window_millis: Cell::new(window_millis),
            due: Cell::new(None),
            is_closed: Cell::new(false),
            turn: Semaphore::new(1),
            work: Notify::new(),
        }
    }

    /// Sets the window of flushes that are armed from now on, in milliseconds.
    pub fn set_window(&self, millis: u64) {
        self.window_millis.set(millis);
        if planted::on(Plant::C02) && self.due.get().is_some() {
            self.due.set(Some(Instant::from_nanos(u64::MAX)));
            self.work.notify_one();
        }
        self.flusher.host.mark("schema.window-set");
    }

    /// Tells that rows of a change are in the memtables. Waits only when the window is 0.
    ///
    /// # Panics
    /// After [`close`](Self::close): a drain waits for all changes first.
    pub async fn changed(&self) {
        assert!(
            !self.is_closed.get(),
            "a node that drains changes no schema"
        );
        match self.window_millis.get() {
            0 => {
                let _turn = self.turn.acquire().await;
                self.flush_in_turn().await;
            }
            millis => self.arm(millis),
        }
    }

    /// Flushes what is due, for ever.
    pub async fn run(self: Rc<Self>) {
        let clock = self.flusher.host.clock();
        loop {
            let work = self.work.notified();
            match self.due.get() {
                None => work.await,
                Some(due) if clock.monotonic() < due => {
                    // Whether it is time, or no more, shows in the next round.
                    let _which = timeout(clock.sleep_until(due), work).await;
                }
                Some(_) => self.flush_armed().await,
            }
        }
    }

    /// Ends the coalescing: flushes at once what is armed, waits for what is under way, and arms nothing from
    /// then on. What fails here is left to whoever flushes all tables.
    pub async fn close(&self) {
        self.is_closed.set(true);
        self.flush_armed().await;
        assert_eq!(self.due.get(), None, "nothing is armed after the end");
    }

    fn arm(&self, delay_millis: u64) {
        if self.due.get().is_some() || self.is_closed.get() {
            return;
        }
        let now = self.flusher.host.clock().monotonic();
        let due = now.after(Duration::from_millis(delay_millis));
        self.due.set(Some(due));
        self.flusher.host.mark("schema.flush-armed");
        self.work.notify_one();
    }

    /// A flush that began while this one waited for its turn has taken it over.
    async fn flush_armed(&self) {
        let _turn = self.turn.acquire().await;
        if self.due.get().is_some() {
            self.flush_in_turn().await;
        }
    }

    async fn flush_in_turn(&self) {
        let Flusher { host, metrics, .. } = &*self.flusher;
        let is_late = planted::on(Plant::P09);
        if !is_late {
            self.due.set(None);
        }
        host.mark("schema.flush-begun");
        metrics.node.schema_flushes.increment();
        let flushed = self.flush_tables().await;
        if is_late {
            self.due.set(None);
        }
        match flushed {
            Ok(()) => host.mark("schema.flush-ended"),
            Err(error) => {
                host.mark("schema.flush-failed");
                metrics.node.schema_flush_failures.increment();
                tracing::warn!(%error, "the schema's rows stay in the commit log for now");
                self.arm(self.flusher.options.retry_millis);
            }
        }
    }

    /// In the tables' order, each whole before the next: no table ever is in sstables without its columns.
    async fn flush_tables(&self) -> Result<(), FlushError> {
        for table in SystemTable::ALL {
            self.flusher.flush_table(table.id()).await?;
        }
        Ok(())
    }
}
