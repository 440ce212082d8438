//! Steps of a write: reserve its place, which copies it into memory at once; then wait for what the mode
//! promises. One task writes, in the order of reservations; one syncs.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::{Notify, oneshot};

use super::error::CommitLogError;
use super::options::{CommitLogOptions, SegmentIds, SyncMode};
use super::position::Position;
use super::segment::{END_OF_SEGMENT, Segment, goes_on_behind_tear};
use super::state::{Need, Shared, State, Waiter};
use super::{append, sync};
use crate::limits::{
    FILE_HEADER_SIZE, LOG_PENDING_SIZE_MAX, LOG_RECORD_PREFIX_SIZE, RECORD_ALIGNMENT,
    RECORD_HEADER_SIZE,
};
use crate::metrics::Metrics;
use crate::record::{FileKind, Previous, ensure_dir, list};
use crate::rows::TableId;

/// The commit log of a running node. Clones are the same log.
#[derive(Clone)]
pub struct CommitLog {
    pub(super) shared: Rc<Shared>,
}

/// A mutation's place in the log: it will be written there, whether or not anybody waits for it.
#[derive(Debug)]
#[must_use = "a write is acknowledged only after it was committed"]
pub struct Reservation {
    position: Position,
}

impl Reservation {
    /// The end of the record: the mutation's position.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }
}

impl std::fmt::Debug for CommitLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommitLog")
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

impl CommitLog {
    /// Begins a first segment and starts the log's tasks. Segments of the node's past were replayed and
    /// deleted before.
    ///
    /// # Errors
    /// The machine's; a knob outside its bounds; a segment on disk with an id not yet given out.
    pub async fn start(
        host: &Host,
        options: CommitLogOptions,
        metrics: Rc<Metrics>,
        ids: SegmentIds,
    ) -> Result<CommitLog, CommitLogError> {
        options.check()?;
        let disk = host.disk();
        ensure_dir(&disk, FileKind::CommitLog.dir()).await?;
        let id = ids().await.map_err(|error| {
            let (class, cause) = (error.class(), error.to_string());
            CommitLogError::NoSegmentId { class, cause }
        })?;
        let past = list(&disk, FileKind::CommitLog).await?;
        let newest = past.last().map(|newest| newest.name);
        if let Some(newest) = newest.filter(|newest| newest.id >= id) {
            let file = newest.to_string();
            return Err(CommitLogError::FutureSegment { file, id });
        }
        // Never in what a past life left: what lies behind a torn tail is not read.
        let first = Rc::new(match newest.filter(|_| goes_on_behind_tear()) {
            Some(torn) => Segment::reopened(&disk, torn.id).await?,
            None => Segment::new(id, None),
        });
        let begin = first.at(first.writer.written());
        let state = State {
            unfinished: VecDeque::from([Rc::clone(&first)]),
            segments: BTreeMap::from([(first.id(), Rc::clone(&first))]),
            spare_id: None,
            pending_size: 0,
            written: begin,
            synced: begin,
            unsynced_since: None,
            urgent_upto: Position::NONE,
            waiters: Vec::new(),
            is_closing: false,
            stopped: None,
        };
        let shared = Rc::new(Shared {
            host: host.clone(),
            options,
            metrics,
            ids,
            state: RefCell::new(state),
            append_work: Notify::new(),
            sync_work: Notify::new(),
            id_work: Notify::new(),
            end: Notify::new(),
        });
        if !first.created.get() {
            shared.create(&first).await?;
        }
        host.spawn("commitlog-append", append::run(Rc::clone(&shared)));
        host.spawn("commitlog-sync", sync::run(Rc::clone(&shared)));
        host.spawn("commitlog-ids", append::run_ids(Rc::clone(&shared)));
        Ok(CommitLog { shared })
    }

    /// The knobs.
    #[must_use]
    pub fn options(&self) -> CommitLogOptions {
        self.shared.options
    }

    /// The position of the last reservation: every mutation reserved later lies above it.
    #[must_use]
    pub fn position(&self) -> Position {
        self.shared.state.borrow().reserved()
    }

    /// Gives an encoded mutation of `table` the next place. Does not wait: what the caller does before
    /// its next await happens in the order of positions.
    ///
    /// # Errors
    /// A mutation above the maximum; too much that waits to be written; a log that has stopped.
    pub fn reserve(&self, table: TableId, mutation: &[u8]) -> Result<Reservation, CommitLogError> {
        let shared = &*self.shared;
        shared.check()?;
        assert!(
            !mutation.is_empty() && table.0 > 0,
            "a mutation has bytes and a table"
        );
        let size_max = shared.options.mutation_size_max();
        if mutation.len() > size_max {
            return Err(CommitLogError::MutationTooLarge {
                size: mutation.len(),
                size_max,
            });
        }
        let size = RECORD_HEADER_SIZE
            + (LOG_RECORD_PREFIX_SIZE + mutation.len()).next_multiple_of(RECORD_ALIGNMENT);
        let mut state = shared.state.borrow_mut();
        if state.is_closing {
            return Err(CommitLogError::Closed);
        }
        let pending_size = state.pending_size + size;
        if pending_size > LOG_PENDING_SIZE_MAX {
            let size_max = LOG_PENDING_SIZE_MAX;
            return Err(CommitLogError::Behind {
                size: pending_size,
                size_max,
            });
        }
        if state.reserved().offset + size as u64 > shared.options.segment_size {
            shared.roll(&mut state)?;
        }
        let segment = Rc::clone(state.current());
        let end = segment.writer.append(&[&table.0.to_le_bytes(), mutation])?;
        segment.mark_dirty(table, end);
        state.pending_size += size;
        drop(state);
        shared.metrics.node.log_records.increment();
        shared.append_work.notify_one();
        Ok(Reservation {
            position: segment.at(end),
        })
    }

    /// Waits for what the mode promises: in `Periodic` until the mutation is written, else until a sync
    /// covers it.
    ///
    /// # Errors
    /// Whatever stopped the log first; whether the mutation is durable is then unknown.
    pub async fn commit(&self, reservation: Reservation) -> Result<(), CommitLogError> {
        let need = match self.shared.options.mode {
            SyncMode::Periodic { .. } => Need::Written,
            SyncMode::Batch | SyncMode::Group { .. } => Need::Synced,
        };
        self.wait(reservation.position, need).await
    }

    /// Syncs all that was reserved before the call, at once.
    ///
    /// # Errors
    /// Whatever stopped the log.
    pub async fn sync(&self) -> Result<(), CommitLogError> {
        let position = {
            let mut state = self.shared.state.borrow_mut();
            state.urgent_upto = state.reserved();
            state.urgent_upto
        };
        self.shared.sync_work.notify_one();
        self.wait(position, Need::Synced).await
    }

    /// Takes no more reservations, syncs all there were, and ends the log's tasks.
    ///
    /// # Errors
    /// Whatever stopped the log.
    pub async fn close(&self) -> Result<(), CommitLogError> {
        self.shared.state.borrow_mut().is_closing = true;
        self.sync().await?;
        self.shared.stop(&CommitLogError::Closed);
        Ok(())
    }

    /// Waits until the log stops, and says why: the node has to stop too.
    pub async fn stopped(&self) -> CommitLogError {
        loop {
            let end = self.shared.end.notified();
            if let Some(error) = self.shared.state.borrow().stopped.clone() {
                return error;
            }
            end.await;
        }
    }

    async fn wait(&self, position: Position, need: Need) -> Result<(), CommitLogError> {
        let (answer, answered) = {
            let state = self.shared.state.borrow();
            if state.is_covered(position, need) {
                return Ok(());
            }
            oneshot::channel()
        };
        self.shared.check()?;
        self.shared.state.borrow_mut().waiters.push(Waiter {
            position,
            need,
            answer,
        });
        answered.await.unwrap_or(Err(CommitLogError::Closed))
    }
}

impl Shared {
    /// Closes the current segment and opens the next for reservations; not when that would leave an
    /// empty one, nor while the next one's id is still being fetched: then this one grows.
    fn roll(&self, state: &mut State) -> Result<(), CommitLogError> {
        let current = Rc::clone(state.current());
        if current.writer.appended() == FILE_HEADER_SIZE as u64 {
            return Ok(());
        }
        let Some(id) = state.spare_id.take() else {
            self.host.mark("commitlog.segment-outgrown");
            return Ok(());
        };
        let before = current.writer.appended();
        let end = current.writer.append(&[&END_OF_SEGMENT])?;
        state.pending_size +=
            usize::try_from(end - before).expect("an empty record is smaller than memory");
        let next = Rc::new(Segment::new(
            id,
            Some(Previous {
                id: current.id(),
                end,
            }),
        ));
        state.unfinished.push_back(Rc::clone(&next));
        state.segments.insert(id, next);
        self.id_work.notify_one();
        Ok(())
    }
}
