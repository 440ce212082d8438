//! Invariants of a memtable: a write enters it only under a ticket, so that once no ticket is left, and
//! none is given any more, its content is final.

use std::cell::{Cell, RefCell};
use std::iter;
use std::rc::Rc;

use cenotaph_sim::sync::Notify;

use super::error::MemtableError;
use super::partitions::Partitions;
use super::snapshot::Snapshot;
use super::ticket::Ticket;
use crate::keys::{DecoratedKey, Slice};
use crate::rows::{Mutation, Partition, TableId, TimestampRange};
use crate::trie::arena::SIZE_MAX_BYTES;

/// The writes of one table since the last switch. Shared by the writers, readers and the flush of one
/// node, which run on one thread; no borrow lives across an await.
#[derive(Debug)]
pub struct Memtable {
    table: TableId,
    pub(super) partitions: RefCell<Partitions>,
    trie_size_max_bytes: u64,
    pub(super) ticket_count: Cell<usize>,
    pub(super) idle: Notify,
}

impl Memtable {
    /// An empty memtable of a table.
    #[must_use]
    pub fn new(table: TableId) -> Rc<Memtable> {
        Memtable::with_trie_size_max(table, SIZE_MAX_BYTES)
    }

    /// An empty memtable of a table whose trie may take so many bytes, content of rows apart.
    #[must_use]
    pub fn with_trie_size_max(table: TableId, size_max_bytes: u64) -> Rc<Memtable> {
        Rc::new(Memtable {
            table,
            partitions: RefCell::new(Partitions::with_size_max(size_max_bytes)),
            trie_size_max_bytes: size_max_bytes,
            ticket_count: Cell::new(0),
            idle: Notify::new(),
        })
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> TableId {
        self.table
    }

    /// Announces a write. Take it in the step that reserves the write's log position, before any await:
    /// then a switch either sees the ticket or gives the write to the next memtable.
    pub fn ticket(self: &Rc<Memtable>) -> Ticket {
        Ticket::of(self)
    }

    /// Refuses while half of what the trie may take is in use: then a large write might not fit, and what the
    /// log holds has to.
    ///
    /// # Errors
    /// [`MemtableError::Full`].
    pub fn check_room(&self) -> Result<(), MemtableError> {
        let (size_bytes, _) = self.trie_bytes();
        if size_bytes > self.trie_size_max_bytes / 2 {
            return Err(MemtableError::Full {
                table: self.table.0,
                size_bytes,
                size_max_bytes: self.trie_size_max_bytes,
            });
        }
        Ok(())
    }

    /// Merges a mutation in, whole or not at all.
    ///
    /// # Errors
    /// [`MemtableError::Overrun`] when the trie cannot hold it.
    ///
    /// # Panics
    /// When nobody holds a ticket, or the mutation is another table's.
    pub fn put(&self, mutation: Mutation) -> Result<(), MemtableError> {
        assert!(
            self.ticket_count.get() > 0,
            "a write enters a memtable only under a ticket"
        );
        assert_eq!(mutation.table, self.table, "a mutation of another table");
        self.partitions
            .borrow_mut()
            .put(&mutation.key, mutation.update)
            .map_err(|_| MemtableError::Overrun {
                table: self.table.0,
                size_max_bytes: self.trie_size_max_bytes,
            })
    }

    /// Waits until nobody holds a ticket. Ends only after the switch: until then writers come and go.
    pub async fn no_tickets(&self) {
        loop {
            let notified = self.idle.notified();
            if self.ticket_count.get() == 0 {
                return;
            }
            notified.await;
        }
    }

    /// How many writes are under way.
    #[must_use]
    pub const fn ticket_count(&self) -> usize {
        self.ticket_count.get()
    }

    /// A copy of a partition's part within `slice`; `None` when nothing is known there.
    #[must_use]
    pub fn get(&self, key: &DecoratedKey, slice: &Slice) -> Option<Partition> {
        self.partitions.borrow().get(key, slice)
    }

    /// What is held of a partition now, for a reader who takes it bit by bit; `None` when nothing is.
    #[must_use]
    pub fn snapshot(self: &Rc<Memtable>, key: &DecoratedKey) -> Option<Snapshot> {
        let partitions = self.partitions.borrow();
        let held = partitions.find(key)?;
        let guard = partitions.arena.read();
        drop(partitions);
        Some(Snapshot::new(Rc::clone(self), held, guard))
    }

    /// Write times of all that was ever put into a partition, shadowed or not; `None` when nothing was.
    #[must_use]
    pub fn timestamps_of(&self, key: &DecoratedKey) -> Option<TimestampRange> {
        self.partitions.borrow().timestamps_of(key)
    }

    /// Copies of all partitions in key order, each taken when it is reached; writers may come between.
    pub fn iter(&self) -> impl Iterator<Item = (DecoratedKey, Partition)> {
        let mut last = None;
        iter::from_fn(move || {
            let next = self.partitions.borrow().after(last.as_ref())?;
            last = Some(next.0.clone());
            Some(next)
        })
    }

    /// How many partitions there are.
    #[must_use]
    pub fn partition_count(&self) -> usize {
        self.partitions.borrow().count()
    }

    /// True when nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.partition_count() == 0
    }

    /// Bytes of what is held, by the reckoning of `rows`.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.partitions.borrow().size_bytes()
    }

    /// Bytes of the trie alone: in use, and held.
    #[must_use]
    pub fn trie_bytes(&self) -> (u64, u64) {
        let partitions = self.partitions.borrow();
        (
            partitions.arena.used_bytes(),
            partitions.arena.allocated_bytes(),
        )
    }

    /// Cells of the trie that were looked at so far.
    #[must_use]
    pub fn cells_visited(&self) -> u64 {
        self.partitions.borrow().arena.counters().cells_visited()
    }

    /// Write times of all that was ever put, shadowed or not; `None` when nothing was.
    #[must_use]
    pub fn timestamps(&self) -> Option<TimestampRange> {
        self.partitions.borrow().timestamps()
    }
}
