//! Invariants of a running node: it ends once, for the first reason there is; a log that stopped is one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cenotaph_sim::host::{Host, Lock};
use cenotaph_sim::sync::{Notify, Semaphore};

use super::boot::Booted;
use super::config::Config;
use crate::commitlog::CommitLog;
use crate::compaction::Compactor;
use crate::error::Error;
use crate::flush::{Flusher, SchemaFlush};
use crate::message::{ListIds, Sessions};
use crate::metadata::Metadata;
use crate::metrics::Metrics;
use crate::schema::Schema;
use crate::store::Store;

/// What the tasks of a node share.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) host: Host,
    pub(super) metadata: Metadata,
    pub(super) store: Rc<Store>,
    pub(super) log: CommitLog,
    pub(super) flusher: Rc<Flusher>,
    pub(super) schema_flush: Rc<SchemaFlush>,
    pub(super) compactor: Rc<Compactor>,
    pub(super) metrics: Rc<Metrics>,
    pub(super) sessions: RefCell<Sessions>,
    pub(super) list_ids: ListIds,
    /// The schema whose tables the store has, and whose rows are applied.
    pub(super) enacted: RefCell<Rc<Schema>>,
    /// One enactment at a time.
    pub(super) enact_turn: Semaphore,
    pub(super) is_draining: Cell<bool>,
    /// Requests that are executed now.
    pub(super) running_count: Cell<usize>,
    pub(super) running_changed: Notify,
    end: RefCell<Option<Result<(), Error>>>,
    ended: Notify,
    _lock: Lock,
}

impl Node {
    pub(super) fn new(host: &Host, config: &Config, booted: Booted) -> Rc<Node> {
        let Booted {
            lock,
            metadata,
            store,
            log,
            metrics,
        } = booted;
        let flusher = Rc::new(Flusher::new(
            host.clone(),
            Rc::clone(&store),
            log.clone(),
            Rc::clone(&metrics),
            config.flush,
        ));
        let window_millis = config.schema_flush_coalescing_window_millis;
        let schema_flush = SchemaFlush::new(Rc::clone(&flusher), window_millis);
        let compactor = Compactor::new(
            host.clone(),
            Rc::clone(&store),
            Rc::clone(&metrics),
            config.compaction,
            config.flush.block_size,
        );
        let schema = metadata.current();
        Rc::new(Node {
            host: host.clone(),
            metadata,
            store,
            log,
            flusher,
            schema_flush: Rc::new(schema_flush),
            compactor: Rc::new(compactor),
            metrics,
            sessions: RefCell::new(Sessions::new(host.incarnation())),
            list_ids: ListIds::new(host.incarnation()),
            enacted: RefCell::new(schema),
            enact_turn: Semaphore::new(1),
            is_draining: Cell::new(false),
            running_count: Cell::new(0),
            running_changed: Notify::new(),
            end: RefCell::new(None),
            ended: Notify::new(),
            _lock: lock,
        })
    }

    /// Ends the node, unless it has ended.
    pub(super) fn finish(&self, result: Result<(), Error>) {
        let mut end = self.end.borrow_mut();
        if end.is_none() {
            *end = Some(result);
            self.ended.notify_all();
        }
    }

    /// Waits for the node's end.
    pub(super) async fn ended(&self) {
        let ended = self.ended.notified();
        if self.end.borrow().is_none() {
            ended.await;
        }
    }

    /// Why it ended; once.
    pub(super) fn take_end(&self) -> Result<(), Error> {
        self.end
            .borrow_mut()
            .take()
            .expect("asked after the end, and once")
    }
}
