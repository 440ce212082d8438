//! Invariants of snapshots: what is read is what the partition held when the snapshot was taken, however long ago.
//!
//! A snapshot keeps its roots, and a guard that keeps what they lead to. Rows come one by one, each for what its key
//! costs; deletions are asked for by position. Nothing here gives rows without their deletions to anyone who
//! merges: that is for `read`, which has all sources.

use std::rc::Rc;

use bytes::Bytes;

use super::branch::{self, before, span_start};
use super::held::{Held, STATIC_KEY};
use super::leaf::{Entry, Leaf, Reach};
use super::partitions::row_of;
use super::table::Memtable;
use crate::keys::{Clustering, Slice};
use crate::planted::{self, Plant};
use crate::rows::{DeletionTime, Partition, Row};
use crate::trie::arena::{Guard, Root};

/// One partition of a memtable at one instant.
#[derive(Debug)]
pub struct Snapshot {
    memtable: Rc<Memtable>,
    held: Held,
    _guard: Option<Guard>,
}

impl Snapshot {
    pub(super) fn new(memtable: Rc<Memtable>, held: Held, guard: Guard) -> Snapshot {
        Snapshot {
            memtable,
            held,
            _guard: Some(guard).filter(|_| !planted::on(Plant::P39)),
        }
    }

    /// The partition deletion.
    #[must_use]
    pub const fn deletion(&self) -> Option<DeletionTime> {
        self.held.deletion
    }

    /// The static row; empty when there is none.
    #[must_use]
    pub fn static_row(&self) -> Row {
        let partitions = self.memtable.partitions.borrow();
        let leaf = partitions.arena.get(self.held.live, STATIC_KEY);
        leaf.map_or_else(Row::default, |leaf| {
            partitions.rows.get(row_of(leaf).0).clone()
        })
    }

    /// At least the greatest write time of what is live.
    #[must_use]
    pub const fn timestamp_max(&self) -> i64 {
        self.held.timestamps.max
    }

    /// How many deletions there are: of rows, and where ranges begin, change or end.
    #[must_use]
    pub const fn stone_count(&self) -> u64 {
        self.held.stone_count as u64
    }

    /// How many rows are live, the static row apart; those whose cells are all dead are among them.
    #[must_use]
    pub const fn row_count(&self) -> u64 {
        self.held.row_count as u64
    }

    /// The first row at or after a position, or the last before it when reversed, without its deletion.
    #[must_use]
    pub fn next_row(&self, position: &[u8], reversed: bool) -> Option<(Clustering, Row)> {
        if self.held.live == Root::EMPTY {
            return None;
        }
        let partitions = self.memtable.partitions.borrow();
        let (arena, mut path) = (&partitions.arena, Vec::new());
        let leaf: Leaf = if reversed {
            arena.last_before(self.held.live, position, &mut path)?
        } else {
            arena.first_at_or_after(self.held.live, position, &mut path)?
        };
        if path == STATIC_KEY {
            return None;
        }
        let row = partitions.rows.get(row_of(leaf).0).clone();
        Some((Clustering(Bytes::from(path)), row))
    }

    /// The deletion in force over a row: its own, its range's, or the partition's.
    #[must_use]
    pub fn in_force(&self, row: &Clustering) -> Option<DeletionTime> {
        let partitions = self.memtable.partitions.borrow();
        let mut path = Vec::new();
        branch::in_force(&partitions.arena, self.held.stones, &row.0, &mut path)
            .strongest()
            .max(self.held.deletion)
    }

    /// The deletion of the range around a row, and how far in the order of a read it is surely in force: up to this
    /// position.
    #[must_use]
    pub fn range_over(&self, row: &Clustering, reversed: bool) -> Option<(DeletionTime, Bytes)> {
        let partitions = self.memtable.partitions.borrow();
        let (arena, mut path) = (&partitions.arena, Vec::new());
        let entry = branch::first(arena, self.held.stones, &row.0, &mut path)?;
        let deletion = before(entry, &path, &row.0)?;
        if !reversed {
            return Some((deletion, Bytes::from(path)));
        }
        if let Entry::Within {
            reach: Reach::Span, ..
        } = entry
            && entry.left() != Some(deletion)
        {
            return Some((deletion, Bytes::from(span_start(&path))));
        }
        // What begins a range stands before all that is within it.
        arena.last_before(self.held.stones, &row.0, &mut path)?;
        Some((deletion, Bytes::from(path)))
    }

    /// A copy of the part within a slice, deletions included.
    #[must_use]
    pub fn copy(&self, slice: &Slice) -> Partition {
        self.memtable.partitions.borrow().copy(&self.held, slice)
    }
}
