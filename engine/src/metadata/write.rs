//! Steps of the writing task: take all changes that wait; write them with one write and one sync; publish
//! the last one's schema; answer each.
//!
//! Fault policy: a failed write or sync is told to everyone who waits and stops the log for good.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::{Notify, oneshot};

use super::error::MetadataError;
use super::log::MetadataOptions;
use crate::limits::METADATA_FILE_SIZE_MAX;
use crate::metrics::Metrics;
use crate::record::{FileKind, FileName, Previous, RecordError, Writer};
use crate::schema::{Epoch, Schema};

/// What the log's task and its callers share.
pub(super) struct Shared {
    pub(super) host: Host,
    pub(super) options: MetadataOptions,
    pub(super) metrics: Rc<Metrics>,
    pub(super) state: RefCell<State>,
    /// Tells the task that changes wait.
    pub(super) work: Notify,
    /// Tells everyone of a new schema.
    pub(super) changed: Notify,
    /// Tells whoever waits for the end.
    pub(super) end: Notify,
}

pub(super) struct State {
    /// The schema of the last durable epoch.
    pub(super) current: Rc<Schema>,
    /// The schema after all changes that wait.
    pub(super) latest: Schema,
    pub(super) queue: Vec<Proposal>,
    /// Bytes in the queue.
    pub(super) queue_size: usize,
    /// The file to go on with.
    pub(super) writer: Option<Rc<Writer>>,
    /// What the next file will continue, while there is none to go on with.
    pub(super) previous: Option<Previous>,
    pub(super) id_max: u64,
    pub(super) is_closing: bool,
    pub(super) stopped: Option<MetadataError>,
}

/// A change that waits to become durable.
pub(super) struct Proposal {
    /// The schema after it.
    pub(super) schema: Schema,
    pub(super) payload: Vec<u8>,
    pub(super) answer: oneshot::Sender<Result<Epoch, MetadataError>>,
}

impl State {
    /// The error of whoever comes after the log stopped.
    pub(super) fn check(&self) -> Result<(), MetadataError> {
        match &self.stopped {
            None if self.is_closing => Err(MetadataError::Closed),
            None => Ok(()),
            Some(MetadataError::Closed) => Err(MetadataError::Closed),
            Some(cause) => Err(MetadataError::Stopped {
                cause: Box::new(cause.clone()),
            }),
        }
    }
}

/// Runs until the log stops.
pub(super) async fn run(log: Rc<Shared>) {
    loop {
        let work = log.work.notified();
        let (batch, is_closing) = {
            let mut state = log.state.borrow_mut();
            state.queue_size = 0;
            (std::mem::take(&mut state.queue), state.is_closing)
        };
        if !batch.is_empty() {
            match log.write(&batch).await {
                Ok(()) => log.publish(batch),
                Err(error) => {
                    log.host.mark("metadata.write-failed");
                    return log.stop(batch, &error.into());
                }
            }
        } else if is_closing {
            return log.stop(batch, &MetadataError::Closed);
        } else {
            work.await;
        }
    }
}

impl Shared {
    async fn write(&self, batch: &[Proposal]) -> Result<(), RecordError> {
        let (writer, is_new) = self.writer();
        for proposal in batch {
            writer.append(&[&proposal.payload])?;
        }
        let clock = self.host.clock();
        let begin = clock.monotonic();
        if is_new {
            writer.create_whole(&self.host.disk()).await?;
        } else {
            writer.write().await?;
            writer.sync().await?;
        }
        assert_eq!(
            writer.synced(),
            writer.appended(),
            "one task appends and syncs"
        );
        let nanos = clock.monotonic().since(begin).as_nanos();
        let nanos = u64::try_from(nanos).unwrap_or(u64::MAX);
        self.metrics.node.metadata_sync_nanos_max.observe(nanos);
        self.metrics.node.metadata_syncs.increment();
        Ok(())
    }

    /// The file to write to, and whether it has yet to be created.
    fn writer(&self) -> (Rc<Writer>, bool) {
        let file_size = self.options.file_size.min(METADATA_FILE_SIZE_MAX);
        let mut state = self.state.borrow_mut();
        let previous = match &state.writer {
            Some(writer) if writer.appended() < file_size => {
                return (Rc::clone(writer), false);
            }
            Some(full) => Some(Previous {
                id: full.name().id,
                end: full.appended(),
            }),
            None => state.previous,
        };
        state.id_max += 1;
        let name = FileName {
            kind: FileKind::Metadata,
            id: state.id_max,
        };
        let writer = Rc::new(Writer::new(name, previous));
        state.writer = Some(Rc::clone(&writer));
        (writer, true)
    }

    fn publish(&self, batch: Vec<Proposal>) {
        self.metrics.node.metadata_changes.add(batch.len() as u64);
        let last = batch.last().expect("an empty batch is not written");
        self.state.borrow_mut().current = Rc::new(last.schema.clone());
        self.changed.notify_all();
        for proposal in batch {
            // A proposer that is gone needs no answer.
            let _gone = proposal.answer.send(Ok(proposal.schema.epoch()));
        }
    }

    fn stop(&self, mut batch: Vec<Proposal>, error: &MetadataError) {
        {
            let mut state = self.state.borrow_mut();
            state.stopped.get_or_insert_with(|| error.clone());
            batch.append(&mut state.queue);
        }
        for proposal in batch {
            let _gone = proposal.answer.send(Err(error.clone()));
        }
        self.end.notify_all();
    }
}
