//! Invariants of a real machine: one incarnation a process; when it has ended, its handles answer
//! nothing any more.

use std::cell::{Cell, RefCell};
use std::future::pending;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::clock::Epoch;
use super::network::Switch;
use super::options::OsOptions;
use crate::entropy::{RunKey, Stream, StreamKey};
use crate::network::Address;
use crate::sync::Notify;

/// A real machine, as its handles know it.
#[derive(Debug)]
pub struct Machine {
    name: String,
    address: Address,
    incarnation: u32,
    key: StreamKey,
    pub(super) root: Arc<Path>,
    pub(super) epoch: Epoch,
    pub(super) runtime: Handle,
    pub(super) switch: Switch,
    has_ended: Cell<bool>,
    end: RefCell<Option<Result<(), String>>>,
    ended: Notify,
}

impl Machine {
    pub(super) fn new(options: OsOptions, seed: u64, incarnation: u32, runtime: Handle) -> Machine {
        Machine {
            key: RunKey(seed).stream("machine").child(&options.name),
            name: options.name,
            address: options.address,
            incarnation,
            root: Arc::from(options.root),
            epoch: Epoch::now(),
            runtime,
            switch: Switch::new(options.peers),
            has_ended: Cell::new(false),
            end: RefCell::default(),
            ended: Notify::new(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> Address {
        self.address
    }

    /// Which boot of the machine this is, from 1: the root remembers.
    #[must_use]
    pub fn incarnation(&self) -> u32 {
        self.incarnation
    }

    /// A stream of chance, by name; derived from the seed as on a simulated machine.
    #[must_use]
    pub fn entropy(&self, stream: &str) -> Stream {
        let path = format!("{}/{stream}", self.incarnation);
        Stream::open(self.key.child("software").child(&path))
    }

    /// Tells those who listen to `tracing`; a real run has no marks to reach.
    pub fn mark(&self, mark: &'static str) {
        tracing::debug!(target: "os", "mark {mark}");
    }

    /// Ends the incarnation; the first end counts.
    pub(super) fn end(&self, how: Result<(), String>) {
        if !self.has_ended.replace(true) {
            *self.end.borrow_mut() = Some(how);
            self.ended.notify_all();
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.get()
    }

    /// Never goes on once the incarnation has ended, and does not wait otherwise.
    pub(super) async fn alive(&self) {
        if self.has_ended() {
            pending().await
        }
    }

    /// Waits for the end.
    pub(super) async fn wait_for_end(self: Rc<Machine>) -> Result<(), String> {
        loop {
            let ended = self.ended.notified();
            if let Some(how) = self.end.borrow_mut().take() {
                return how;
            }
            ended.await;
        }
    }
}
