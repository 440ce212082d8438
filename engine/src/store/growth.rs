//! Vocabulary of growth: tables that got an sstable and were not looked at since.

use std::cell::RefCell;
use std::collections::BTreeSet;

use cenotaph_sim::sync::{Notified, Notify};

use crate::rows::TableId;

/// Which tables grew, for whoever compacts them.
#[derive(Debug, Default)]
pub struct Growth {
    tables: RefCell<BTreeSet<TableId>>,
    changed: Notify,
}

impl Growth {
    /// Notes that a table has more sstables than before, or is to be looked at again.
    pub fn note(&self, table: TableId) {
        if self.tables.borrow_mut().insert(table) {
            self.changed.notify_one();
        }
    }

    /// The tables noted since the last call.
    #[must_use]
    pub fn take(&self) -> BTreeSet<TableId> {
        self.tables.take()
    }

    /// Ends after the next note. Ask for it before [`take`](Self::take), so that none is missed.
    pub fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }
}
