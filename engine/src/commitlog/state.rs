//! Invariants of the log's state: segments are created, written, synced and finished one after the
//! other, so `written` and `synced` are single positions; `synced` is at most `written`, and that at
//! most what is reserved; once stopped, nothing moves any more.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::{Notify, oneshot};
use cenotaph_sim::time::Instant;

use super::error::CommitLogError;
use super::options::{CommitLogOptions, SegmentIds};
use super::position::Position;
use super::segment::Segment;
use crate::metrics::Metrics;

/// What the tasks of one log share.
pub(super) struct Shared {
    pub(super) host: Host,
    pub(super) options: CommitLogOptions,
    pub(super) metrics: Rc<Metrics>,
    pub(super) ids: SegmentIds,
    pub(super) state: RefCell<State>,
    /// Tells the appending task: something was reserved, synced, or stopped.
    pub(super) append_work: Notify,
    /// Tells the syncing task: something was written after all was synced, is urgent, or stopped.
    pub(super) sync_work: Notify,
    /// Tells the task that fetches ids: the spare one was used, or the log stopped.
    pub(super) id_work: Notify,
    /// Tells whoever waits for the end.
    pub(super) end: Notify,
}

pub(super) struct State {
    /// Segments that are not finished, ascending; the last takes reservations.
    pub(super) unfinished: VecDeque<Rc<Segment>>,
    /// All segments that were not deleted.
    pub(super) segments: BTreeMap<u64, Rc<Segment>>,
    /// The id of the next segment.
    pub(super) spare_id: Option<u64>,
    /// Bytes reserved and not yet written.
    pub(super) pending_size: usize,
    pub(super) written: Position,
    pub(super) synced: Position,
    /// When the first write that no sync has begun to cover was written.
    pub(super) unsynced_since: Option<Instant>,
    /// Up to here nobody wants to wait for the next regular sync.
    pub(super) urgent_upto: Position,
    pub(super) waiters: Vec<Waiter>,
    pub(super) is_closing: bool,
    pub(super) stopped: Option<CommitLogError>,
}

/// What a write waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Written,
    Synced,
}

impl Need {
    /// Up to where nobody with this need waits.
    const fn reached(self, written: Position, synced: Position) -> Position {
        match self {
            Need::Written => written,
            Need::Synced => synced,
        }
    }
}

/// A write that waits.
pub(super) struct Waiter {
    pub(super) position: Position,
    pub(super) need: Need,
    pub(super) answer: oneshot::Sender<Result<(), CommitLogError>>,
}

impl State {
    /// The segment that takes reservations.
    pub(super) fn current(&self) -> &Rc<Segment> {
        self.unfinished
            .back()
            .expect("a log always has a segment that takes reservations")
    }

    /// The segment that is being written.
    pub(super) fn front(&self) -> &Rc<Segment> {
        self.unfinished
            .front()
            .expect("a log always has a segment that takes reservations")
    }

    /// The position of the last reservation.
    pub(super) fn reserved(&self) -> Position {
        let current = self.current();
        current.at(current.writer.appended())
    }

    pub(super) fn is_covered(&self, position: Position, need: Need) -> bool {
        position <= need.reached(self.written, self.synced)
    }

    /// Takes out the waiters that need wait no longer, in the order in which they came.
    pub(super) fn take_covered(&mut self) -> Vec<Waiter> {
        let (written, synced) = (self.written, self.synced);
        let covered = |waiter: &mut Waiter| waiter.position <= waiter.need.reached(written, synced);
        self.waiters.extract_if(.., covered).collect()
    }
}

impl Shared {
    /// Stops the log for good: everyone who waits is told, and whoever comes later.
    pub(super) fn stop(&self, error: &CommitLogError) {
        let waiters = {
            let mut state = self.state.borrow_mut();
            state.stopped.get_or_insert_with(|| error.clone());
            std::mem::take(&mut state.waiters)
        };
        answer(waiters, &Err(error.clone()));
        for notify in [&self.append_work, &self.sync_work, &self.id_work, &self.end] {
            notify.notify_all();
        }
    }

    /// The error of whoever comes after the log stopped.
    pub(super) fn check(&self) -> Result<(), CommitLogError> {
        match &self.state.borrow().stopped {
            None => Ok(()),
            Some(CommitLogError::Closed) => Err(CommitLogError::Closed),
            Some(cause) => Err(CommitLogError::Stopped {
                cause: Box::new(cause.clone()),
            }),
        }
    }
}

/// Tells each of `waiters` the same.
pub(super) fn answer(waiters: Vec<Waiter>, result: &Result<(), CommitLogError>) {
    for waiter in waiters {
        // A waiter that is gone needs no answer.
        let _gone = waiter.answer.send(result.clone());
    }
}
