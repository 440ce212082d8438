//! Steps of giving segments back: note what a flush made durable elsewhere; take out the segments that
//! nobody needs; unlink them; sync the directory.

use std::rc::Rc;

use super::error::CommitLogError;
use super::interval::Interval;
use super::log::CommitLog;
use super::position::Position;
use super::segment::Segment;
use super::state::Shared;
use crate::record::{FileKind, remove_all};
use crate::rows::TableId;

impl CommitLog {
    /// Notes that all mutations of `table` in `interval` are durable elsewhere, and deletes the segments
    /// that nobody needs any more. The segment that takes reservations stays.
    ///
    /// # Errors
    /// The machine's; the segments are then deleted by a later call.
    pub async fn discard(&self, table: TableId, interval: Interval) -> Result<(), CommitLogError> {
        let segments = self.shared.segments();
        segments
            .iter()
            .for_each(|segment| segment.mark_clean(table, interval));
        self.shared.delete_unused().await
    }

    /// Notes that the schema dropped `table`, durably: its mutations are no longer needed.
    ///
    /// # Errors
    /// As [`discard`](Self::discard).
    pub async fn discard_table(&self, table: TableId) -> Result<(), CommitLogError> {
        self.discard(
            table,
            Interval {
                lower: Position::NONE,
                upper: Position::MAX,
            },
        )
        .await
    }

    /// Segments that were not deleted, ascending, each with its dirty tables.
    #[must_use]
    pub fn dirty(&self) -> Vec<(u64, Vec<TableId>)> {
        let segments = self.shared.segments();
        segments
            .iter()
            .map(|segment| (segment.id(), segment.dirty_tables()))
            .collect()
    }
}

impl Shared {
    fn segments(&self) -> Vec<Rc<Segment>> {
        self.state
            .borrow()
            .segments
            .values()
            .map(Rc::clone)
            .collect()
    }

    pub(super) async fn delete_unused(&self) -> Result<(), CommitLogError> {
        // Taken out before the wait, so that no other call deletes them too.
        let unused: Vec<_> = {
            let mut state = self.state.borrow_mut();
            let unused = state
                .segments
                .extract_if(.., |_, segment| segment.is_unused());
            unused.map(|(_, segment)| segment).collect()
        };
        let names: Vec<_> = unused.iter().map(|segment| segment.writer.name()).collect();
        match remove_all(&self.host.disk(), FileKind::CommitLog, &names).await {
            Ok(()) => {
                self.metrics
                    .node
                    .log_segments_deleted
                    .add(names.len() as u64);
                Ok(())
            }
            Err(error) => {
                let mut state = self.state.borrow_mut();
                state
                    .segments
                    .extend(unused.into_iter().map(|segment| (segment.id(), segment)));
                Err(error.into())
            }
        }
    }
}
