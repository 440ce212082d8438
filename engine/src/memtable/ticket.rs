//! Invariants of tickets: as many as there are writes under way; each counts until it is dropped.

use std::rc::Rc;

use super::table::Memtable;

/// A write under way to one memtable. The flush of that memtable waits for it.
#[derive(Debug)]
#[must_use = "the memtable counts the write until its ticket is dropped"]
pub struct Ticket {
    memtable: Rc<Memtable>,
}

impl Ticket {
    pub(super) fn of(memtable: &Rc<Memtable>) -> Ticket {
        memtable.ticket_count.update(|count| count + 1);
        Ticket {
            memtable: Rc::clone(memtable),
        }
    }

    /// The memtable that the write goes to, whatever is current by then.
    #[must_use]
    pub fn memtable(&self) -> &Rc<Memtable> {
        &self.memtable
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.memtable.ticket_count.update(|count| count - 1);
        if self.memtable.ticket_count.get() == 0 {
            self.memtable.idle.notify_all();
        }
    }
}
