//! Invariants of a memtable's content: one trie of partitions in key order, each with a branch of what is live and a
//! branch of deletions; nothing live is held that a deletion of its partition shadows.
//!
//! So the next live row after a position costs what its key costs, however much was deleted before it.
//!
//! Write times are those of all that was ever put, shadowed or not: what shadows it here is no more durable
//! than the memtable, and the log may bring back the one without the other.

use super::change::{Change, Growth};
use super::held::Held;
use super::leaf::Leaf;
use crate::keys::separator::AFTER;
use crate::keys::{DecoratedKey, Slice};
use crate::planted::{self, Plant};
use crate::rows::{Partition, Row, TimestampRange};
use crate::trie::arena::{Arena, ArenaFull, Root, Slots};

/// What the slot of a row takes; its content comes on top.
const ROW_SIZE: u64 = 16;
/// What the slot of a partition takes.
const PARTITION_SIZE: u64 = 64;

/// Partitions in key order.
#[derive(Debug)]
pub(super) struct Partitions {
    pub(super) arena: Arena<Leaf>,
    pub(super) rows: Slots<Row>,
    held: Slots<Held>,
    root: Root,
    count: usize,
    /// Of the content of all rows.
    content_bytes: u64,
    row_count: u64,
    timestamps: Option<TimestampRange>,
    /// Room for the key of the partition that is changed.
    key: Vec<u8>,
}

impl Partitions {
    pub(super) fn with_size_max(size_max_bytes: u64) -> Partitions {
        let arena = Arena::with_size_max(size_max_bytes);
        Partitions {
            rows: Slots::new(arena.readers()),
            held: Slots::new(arena.readers()),
            arena,
            root: Root::EMPTY,
            count: 0,
            content_bytes: 0,
            row_count: 0,
            timestamps: None,
            key: Vec::new(),
        }
    }

    /// Merges an update in, whole or not at all.
    pub(super) fn put(&mut self, key: &DecoratedKey, update: Partition) -> Result<(), ArenaFull> {
        let Some(written) = update.timestamps() else {
            return Ok(());
        };
        let mut path = std::mem::take(&mut self.key);
        path.clear();
        key.append_comparable(&mut path);
        let changed = self.change(&path, update, written);
        self.key = path;
        if changed.is_ok() {
            self.rows.finish();
            self.held.finish();
        } else {
            self.rows.abort();
            self.held.abort();
        }
        let growth = changed?;
        let grown = |size: u64, by: i64| size.checked_add_signed(by);
        self.content_bytes = grown(self.content_bytes, growth.content_bytes)
            .expect("no more content goes than there was");
        self.row_count =
            grown(self.row_count, growth.row_count).expect("no more rows go than there were");
        let all = self.timestamps.map_or(written, |all| all.union(written));
        self.timestamps = Some(all);
        Ok(())
    }

    fn change(
        &mut self,
        key: &[u8],
        update: Partition,
        written: TimestampRange,
    ) -> Result<Growth, ArenaFull> {
        let slot = self.slot(key);
        let mut held = slot.map_or_else(|| Held::new(written), |slot| *self.held.get(slot));
        held.timestamps = held.timestamps.union(written);
        let mut change = Change {
            trie: self.arena.begin(),
            rows: &mut self.rows,
            held,
            growth: Growth::default(),
        };
        change.apply(update)?;
        let Change {
            mut trie,
            held,
            growth,
            ..
        } = change;
        let new_slot = match slot {
            Some(slot) => self.held.update(slot, held),
            None => self.held.insert(held),
        };
        if slot != Some(new_slot) {
            self.root = trie.put(self.root, key, Leaf::Partition(new_slot))?;
        }
        trie.finish();
        self.count += usize::from(slot.is_none());
        Ok(growth)
    }

    /// What is held of a partition.
    pub(super) fn find(&self, key: &DecoratedKey) -> Option<Held> {
        let mut path = Vec::with_capacity(2 * key.key.0.len() + 12);
        key.append_comparable(&mut path);
        Some(*self.held.get(self.slot(&path)?))
    }

    pub(super) fn get(&self, key: &DecoratedKey, slice: &Slice) -> Option<Partition> {
        let part = self.copy(&self.find(key)?, slice);
        (!part.is_empty()).then_some(part)
    }

    pub(super) fn timestamps_of(&self, key: &DecoratedKey) -> Option<TimestampRange> {
        let held = self.find(key)?;
        if planted::on(Plant::C03) {
            return self.copy(&held, &Slice::ALL).timestamps();
        }
        Some(held.timestamps)
    }

    /// The first partition after `key`, or of all.
    pub(super) fn after(&self, key: Option<&DecoratedKey>) -> Option<(DecoratedKey, Partition)> {
        let mut from = key.map_or_else(Vec::new, |key| key.to_comparable().to_vec());
        if let Some(last) = from.last_mut() {
            *last = AFTER;
        }
        let mut path = Vec::new();
        let leaf = self.arena.first_at_or_after(self.root, &from, &mut path)?;
        let key = DecoratedKey::from_comparable(&path)
            .expect("the trie of partitions has keys of partitions only");
        Some((key, self.copy(self.held.get(slot_of(leaf)), &Slice::ALL)))
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Bytes of the trie in use and of what its slots hold, by a fixed reckoning.
    pub(super) fn size_bytes(&self) -> u64 {
        self.arena.used_bytes()
            + self.content_bytes
            + ROW_SIZE * self.row_count
            + PARTITION_SIZE * self.count as u64
    }

    pub(super) const fn timestamps(&self) -> Option<TimestampRange> {
        self.timestamps
    }

    fn slot(&self, key: &[u8]) -> Option<u32> {
        self.arena.get(self.root, key).map(slot_of)
    }
}

/// The slot of a partition.
fn slot_of(leaf: Leaf) -> u32 {
    match leaf {
        Leaf::Partition(slot) => slot,
        other => panic!("the trie of partitions has no {other:?}"),
    }
}

/// The slot of a row, and the greatest write time in it.
pub(super) fn row_of(leaf: Leaf) -> (u32, i64) {
    match leaf {
        Leaf::Row {
            slot,
            timestamp_max,
        } => (slot, timestamp_max),
        other => panic!("a branch of rows has no {other:?}"),
    }
}
