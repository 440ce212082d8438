//! Invariants of a segment: a table is dirty in it until flushes cover every position of the table's
//! records there; a segment that was closed, is synced, and in which no table is dirty may be deleted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use cenotaph_sim::host::Disk;

use super::interval::{Interval, IntervalSet};
use super::position::Position;
use crate::limits::LOG_RECORD_PREFIX_SIZE;
use crate::planted::{self, Plant};
use crate::record::{FileKind, FileName, Previous, RecordError, Writer};
use crate::rows::TableId;

/// The last record of a segment that another one follows: a table id that no table has, and no mutation.
pub(super) const END_OF_SEGMENT: [u8; LOG_RECORD_PREFIX_SIZE] = [0; LOG_RECORD_PREFIX_SIZE];

/// Whether a log goes on in the newest segment of the node's past, behind its torn tail: never, but for the
/// planted bug that keeps that segment, writes on in it, and reads it again.
pub(super) fn goes_on_behind_tear() -> bool {
    planted::on(Plant::P03)
}

/// A segment of the log, from its reservation to its deletion.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) writer: Writer,
    /// Whether the file is there.
    pub(super) created: Cell<bool>,
    /// Whether it was closed, written and synced to its end.
    pub(super) finished: Cell<bool>,
    tables: RefCell<BTreeMap<TableId, Dirty>>,
}

/// A table's records in a segment.
#[derive(Debug)]
struct Dirty {
    /// End of the first one that is not known to be flushed.
    first_end: u64,
    /// End of the last.
    last_end: u64,
    /// What flushes covered.
    clean: IntervalSet,
}

impl Segment {
    pub(super) fn new(id: u64, previous: Option<Previous>) -> Segment {
        Segment {
            writer: Writer::new(
                FileName {
                    kind: FileKind::CommitLog,
                    id,
                },
                previous,
            ),
            created: Cell::new(false),
            finished: Cell::new(false),
            tables: RefCell::default(),
        }
    }

    /// One that goes on where another life of the node ended. Only for the planted bug that does so.
    pub(super) async fn reopened(disk: &Disk, id: u64) -> Result<Segment, RecordError> {
        let segment = Segment::new(id, None);
        segment.writer.reopen(disk).await?;
        segment.created.set(true);
        Ok(segment)
    }

    pub(super) fn id(&self) -> u64 {
        self.writer.name().id
    }

    pub(super) fn at(&self, offset: u64) -> Position {
        Position {
            segment: self.id(),
            offset,
        }
    }

    /// Notes that a record of `table` ends at `end`.
    pub(super) fn mark_dirty(&self, table: TableId, end: u64) {
        let fresh = || Dirty {
            first_end: end,
            last_end: end,
            clean: IntervalSet::new(),
        };
        let mut tables = self.tables.borrow_mut();
        let dirty = tables.entry(table).or_insert_with(fresh);
        assert!(dirty.last_end <= end, "records are reserved in order");
        dirty.last_end = end;
    }

    /// Notes that a flush of `table` covers `interval`.
    pub(super) fn mark_clean(&self, table: TableId, interval: Interval) {
        let mut tables = self.tables.borrow_mut();
        let Some(dirty) = tables.get_mut(&table) else {
            return;
        };
        dirty.clean.add(interval);
        let lower = self.at(dirty.first_end - 1);
        if dirty.clean.covers(Interval {
            lower,
            upper: self.at(dirty.last_end),
        }) {
            tables.remove(&table);
        }
    }

    /// Whether nothing in it is needed any more.
    pub(super) fn is_unused(&self) -> bool {
        self.finished.get() && self.tables.borrow().is_empty()
    }

    /// Tables that are dirty in it, ascending.
    pub(super) fn dirty_tables(&self) -> Vec<TableId> {
        self.tables.borrow().keys().copied().collect()
    }
}
