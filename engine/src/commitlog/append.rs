//! Steps of the appending task: create the oldest unfinished segment; write what was reserved in it;
//! when it is closed and synced to its end, finish it and go on with the next.
//!
//! A segment is not created before the one before it is synced: that is what makes damage in any but
//! the newest segment corruption. Reservations go on meanwhile, in memory.

use std::rc::Rc;

use super::error::CommitLogError;
use super::segment::Segment;
use super::state::{Shared, answer};

enum Step {
    Create(Rc<Segment>),
    Write(Rc<Segment>),
    Finish,
    Wait,
    End,
}

/// Runs until the log stops.
pub(super) async fn run(log: Rc<Shared>) {
    loop {
        let work = log.append_work.notified();
        let result = match log.next_step() {
            Step::Create(segment) => log.create(&segment).await,
            Step::Write(segment) => log.write(&segment).await,
            Step::Finish => {
                log.finish().await;
                Ok(())
            }
            Step::Wait => {
                work.await;
                Ok(())
            }
            Step::End => return,
        };
        if let Err(error) = result {
            log.stop(&error);
        }
    }
}

/// Fetches the next segment's id ahead of time, so that a reservation never waits for it.
pub(super) async fn run_ids(log: Rc<Shared>) {
    loop {
        let work = log.id_work.notified();
        let (is_stopped, has_spare) = {
            let state = log.state.borrow();
            (state.stopped.is_some(), state.spare_id.is_some())
        };
        if is_stopped {
            return;
        }
        if has_spare {
            work.await;
            continue;
        }
        match (log.ids)().await {
            Ok(id) => {
                let mut state = log.state.borrow_mut();
                assert!(id > state.current().id(), "segment ids ascend");
                state.spare_id = Some(id);
            }
            Err(error) => {
                let (class, cause) = (error.class(), error.to_string());
                log.stop(&CommitLogError::NoSegmentId { class, cause });
            }
        }
    }
}

impl Shared {
    fn next_step(&self) -> Step {
        let mut state = self.state.borrow_mut();
        if state.stopped.is_some() {
            return Step::End;
        }
        let segment = Rc::clone(state.front());
        let writer = &segment.writer;
        if !segment.created.get() {
            return Step::Create(segment);
        }
        if writer.written() < writer.appended() {
            return Step::Write(segment);
        }
        if state.unfinished.len() == 1 {
            return Step::Wait;
        }
        if writer.synced() == writer.appended() {
            return Step::Finish;
        }
        state.urgent_upto = state.urgent_upto.max(segment.at(writer.appended()));
        self.sync_work.notify_one();
        Step::Wait
    }

    pub(super) async fn create(&self, segment: &Segment) -> Result<(), CommitLogError> {
        segment.writer.create(&self.host.disk()).await?;
        segment.created.set(true);
        self.metrics.node.log_segments_created.increment();
        Ok(())
    }

    async fn write(&self, segment: &Segment) -> Result<(), CommitLogError> {
        let before = segment.writer.written();
        let upto = segment.writer.write().await?;
        self.metrics.node.log_bytes.add(upto - before);
        let (covered, is_first_unsynced) = {
            let mut state = self.state.borrow_mut();
            let size = usize::try_from(upto - before).expect("it was in memory");
            state.pending_size -= size;
            state.written = segment.at(upto);
            let is_first_unsynced = state.unsynced_since.is_none();
            if is_first_unsynced {
                state.unsynced_since = Some(self.host.clock().monotonic());
            }
            (state.take_covered(), is_first_unsynced)
        };
        answer(covered, &Ok(()));
        // The sync that is due for the first unsynced write takes the later ones along.
        if is_first_unsynced {
            self.sync_work.notify_one();
        }
        Ok(())
    }

    async fn finish(&self) {
        {
            let mut state = self.state.borrow_mut();
            let segment = state
                .unfinished
                .pop_front()
                .expect("the segment that was looked at");
            segment.finished.set(true);
        }
        self.host.mark("commitlog.segment-finished");
        // It may have been clean before it was finished. A failure is no harm: the next discard tries
        // again, and a segment that stays is read again in vain.
        let _ = self.delete_unused().await;
    }
}
