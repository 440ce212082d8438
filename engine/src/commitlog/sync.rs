//! Steps of the syncing task: wait until the first unsynced write is as old as the mode lets it be, or
//! until somebody is in a hurry; sync the segment that is being written; tell those who waited.
//!
//! Fault policy: a failed sync is told to everyone who waits and stops the log. What the file holds
//! beyond its last good sync is unknown from then on, and a second sync would prove nothing.

use std::rc::Rc;

use cenotaph_sim::sync::timeout;
use cenotaph_sim::time::Instant;

use super::error::CommitLogError;
use super::segment::Segment;
use super::state::{Need, Shared, answer};
use crate::planted::{self, Plant};
use crate::record::RecordError;

enum Due {
    Now(Rc<Segment>),
    At(Instant),
    Idle,
    End,
}

/// Runs until the log stops.
pub(super) async fn run(log: Rc<Shared>) {
    let clock = log.host.clock();
    loop {
        let work = log.sync_work.notified();
        match log.due(|| clock.monotonic()) {
            Due::Now(segment) => log.sync_segment(&segment).await,
            Due::At(instant) => {
                // Whether it was time or news that came first shows in the next round.
                let _elapsed = timeout(clock.sleep_until(instant), work).await;
            }
            Due::Idle => work.await,
            Due::End => return,
        }
    }
}

impl Shared {
    /// What is to be done. The clock is asked only where it decides.
    fn due(&self, now: impl FnOnce() -> Instant) -> Due {
        let state = self.state.borrow();
        if state.stopped.is_some() {
            return Due::End;
        }
        let segment = state.front();
        let Some(since) = state.unsynced_since else {
            return Due::Idle;
        };
        let delay = self.options.mode.delay();
        if delay.is_zero() || state.synced < state.urgent_upto {
            return Due::Now(Rc::clone(segment));
        }
        let due = since.after(delay);
        if due <= now() {
            return Due::Now(Rc::clone(segment));
        }
        Due::At(due)
    }

    async fn sync_segment(&self, segment: &Segment) {
        // What is written from here on is for the next sync.
        self.state.borrow_mut().unsynced_since = None;
        let clock = self.host.clock();
        let begin = clock.monotonic();
        let result = segment.writer.sync().await;
        let nanos = clock.monotonic().since(begin).as_nanos();
        let nanos = u64::try_from(nanos).unwrap_or(u64::MAX);
        self.metrics.node.log_sync_nanos_max.observe(nanos);
        match result {
            Ok(upto) => {
                self.metrics.node.log_syncs.increment();
                self.acknowledge(segment, upto);
            }
            Err(error) if planted::on(Plant::P36) => self.tell_the_first_only(segment, error),
            Err(error) => {
                self.host.mark("commitlog.sync-failed");
                if self.state.borrow().waiters.len() > 1 {
                    self.host.mark("commitlog.sync-failed-for-many");
                }
                self.stop(&CommitLogError::from(error));
            }
        }
    }

    fn acknowledge(&self, segment: &Segment, upto: u64) {
        let covered = {
            let mut state = self.state.borrow_mut();
            state.synced = segment.at(upto);
            assert!(
                state.synced <= state.written,
                "only what was written is synced"
            );
            state.take_covered()
        };
        answer(covered, &Ok(()));
        self.append_work.notify_one();
    }

    /// The planted bug: one waiter hears of the failure, the file counts as synced, the rest hears that
    /// all is well.
    fn tell_the_first_only(&self, segment: &Segment, error: RecordError) {
        segment.writer.forget_failure();
        let first = {
            let mut state = self.state.borrow_mut();
            let written = state.written;
            let waits = |waiter: &super::state::Waiter| {
                waiter.need == Need::Synced && waiter.position <= written
            };
            let index = state.waiters.iter().position(waits);
            index.map(|index| state.waiters.remove(index))
        };
        answer(
            first.into_iter().collect(),
            &Err(CommitLogError::from(error)),
        );
        self.acknowledge(segment, segment.writer.synced());
    }
}
