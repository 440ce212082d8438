//! Steps of a change: check it against the latest schema that any change before it leads to; give it the
//! next epoch; write and sync it, together with all that came meanwhile; publish the schema; answer.
//!
//! Nobody sees a schema whose epoch is not durable.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::{Notified, Notify, oneshot, timeout};
use serde::{Deserialize, Serialize};

use super::entry;
use super::error::MetadataError;
use super::recover::recover;
use super::write::{self, Proposal, Shared, State};
use crate::limits::{METADATA_FILE_SIZE_MAX, METADATA_PENDING_SIZE_MAX};
use crate::metrics::Metrics;
use crate::schema::{Change, Epoch, Schema};

/// The metadata log's knobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MetadataOptions {
    /// A file of this size in bytes is followed by a new one.
    pub file_size: u64,
}

impl Default for MetadataOptions {
    fn default() -> MetadataOptions {
        MetadataOptions {
            file_size: METADATA_FILE_SIZE_MAX,
        }
    }
}

/// The node's schema, and the log that keeps it. Clones are the same.
#[derive(Clone)]
pub struct Metadata {
    shared: Rc<Shared>,
}

impl std::fmt::Debug for Metadata {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metadata")
            .field("epoch", &self.current().epoch())
            .finish_non_exhaustive()
    }
}

impl Metadata {
    /// Reads the log and goes on with it. What [`current`](Self::current) gives is durable from the first.
    ///
    /// # Errors
    /// The machine's; corruption; a gap between epochs.
    pub async fn open(
        host: &Host,
        options: MetadataOptions,
        metrics: Rc<Metrics>,
    ) -> Result<Metadata, MetadataError> {
        let recovered = recover(host, &metrics).await?;
        let state = State {
            current: Rc::new(recovered.schema.clone()),
            latest: recovered.schema,
            queue: Vec::new(),
            queue_size: 0,
            writer: recovered.writer.map(Rc::new),
            previous: recovered.previous,
            id_max: recovered.id_max,
            is_closing: false,
            stopped: None,
        };
        let shared = Rc::new(Shared {
            host: host.clone(),
            options,
            metrics,
            state: RefCell::new(state),
            work: Notify::new(),
            changed: Notify::new(),
            end: Notify::new(),
        });
        host.spawn("metadata", write::run(Rc::clone(&shared)));
        Ok(Metadata { shared })
    }

    /// The schema of the last durable epoch.
    #[must_use]
    pub fn current(&self) -> Rc<Schema> {
        Rc::clone(&self.shared.state.borrow().current)
    }

    /// Waits for the next epoch after this call to be published.
    pub fn changed(&self) -> Notified<'_> {
        self.shared.changed.notified()
    }

    /// Enacts a change; gives its epoch once that is durable and published.
    ///
    /// # Errors
    /// Why the change is refused; too many changes that wait; whatever stopped the log, and whether the
    /// change is durable is then unknown.
    pub async fn propose(&self, change: &Change) -> Result<Epoch, MetadataError> {
        match self.enqueue(change) {
            Ok(answered) => answered.await.unwrap_or(Err(MetadataError::Closed)),
            Err(refusal @ MetadataError::Refused(_)) => {
                self.catch_up().await?;
                Err(refusal)
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until all changes that were accepted before this call are durable: a refusal rests on
    /// them, and nobody may learn of a change before a crash can no longer undo it.
    async fn catch_up(&self) -> Result<(), MetadataError> {
        let latest = self.shared.state.borrow().latest.epoch();
        loop {
            let (changed, ended) = (self.shared.changed.notified(), self.shared.end.notified());
            {
                let state = self.shared.state.borrow();
                if state.current.epoch() >= latest {
                    return Ok(());
                }
                if let Some(error) = state.stopped.clone() {
                    return Err(error);
                }
            }
            // Whichever comes first shows in the next round.
            let _which = timeout(ended, changed).await;
        }
    }

    /// Takes no more changes, waits for those there were, and ends the log's task.
    ///
    /// # Errors
    /// Whatever stopped the log.
    pub async fn close(&self) -> Result<(), MetadataError> {
        self.shared.state.borrow_mut().is_closing = true;
        self.shared.work.notify_one();
        match self.stopped().await {
            MetadataError::Closed => Ok(()),
            error => Err(error),
        }
    }

    /// Waits until the log stops, and says why: the node has to stop too.
    pub async fn stopped(&self) -> MetadataError {
        loop {
            let end = self.shared.end.notified();
            if let Some(error) = self.shared.state.borrow().stopped.clone() {
                return error;
            }
            end.await;
        }
    }

    fn enqueue(
        &self,
        change: &Change,
    ) -> Result<oneshot::Receiver<Result<Epoch, MetadataError>>, MetadataError> {
        let mut state = self.shared.state.borrow_mut();
        state.check()?;
        let schema = state.latest.apply(change)?;
        let payload = entry::encode(schema.epoch(), change)?;
        let size = state.queue_size + payload.len();
        if size > METADATA_PENDING_SIZE_MAX {
            return Err(MetadataError::Behind {
                size,
                size_max: METADATA_PENDING_SIZE_MAX,
            });
        }
        let (answer, answered) = oneshot::channel();
        state.queue_size = size;
        state.latest = schema.clone();
        state.queue.push(Proposal {
            schema,
            payload,
            answer,
        });
        self.shared.work.notify_one();
        Ok(answered)
    }
}
