//! Invariants of a memtable's content: partitions in key order, each canonical, their size known at
//! any time without a walk.
//!
//! Write times are those of all that was ever put, shadowed or not: what shadows it here is no more durable
//! than the memtable, and the log may bring back the one without the other.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::keys::{DecoratedKey, Slice};
use crate::planted::{self, Plant};
use crate::rows::{Partition, TimestampRange};

/// What a partition takes in the order of its memtable; its key comes on top.
const ENTRY_SIZE: u64 = 32;

/// Partitions in key order. Everything that is taken out is a copy, so no later write changes it.
#[derive(Debug, Default)]
pub(super) struct Partitions {
    map: BTreeMap<DecoratedKey, Held>,
    size_bytes: u64,
    timestamps: Option<TimestampRange>,
}

/// A partition, and the write times of all that was ever put into it.
#[derive(Debug)]
struct Held {
    partition: Partition,
    timestamps: TimestampRange,
}

impl Partitions {
    pub(super) fn put(&mut self, key: DecoratedKey, update: Partition) {
        let Some(written) = update.timestamps() else {
            return;
        };
        let all = self
            .timestamps
            .map_or(written, |timestamps| timestamps.union(written));
        self.timestamps = Some(all);
        let key_size = ENTRY_SIZE + key.key.0.len() as u64;
        let entry = self.map.entry(key);
        let entry = entry.or_insert_with(|| {
            self.size_bytes += key_size;
            Held {
                partition: Partition::default(),
                timestamps: written,
            }
        });
        entry.timestamps = entry.timestamps.union(written);
        let growth = entry.partition.apply(update);
        let size = self.size_bytes.checked_add_signed(growth);
        self.size_bytes = size.expect("a partition shrinks by no more than it grew");
    }

    pub(super) fn get(&self, key: &DecoratedKey, slice: &Slice) -> Option<Partition> {
        let part = self.map.get(key)?.partition.slice(slice);
        (!part.is_empty()).then_some(part)
    }

    pub(super) fn timestamps_of(&self, key: &DecoratedKey) -> Option<TimestampRange> {
        let held = self.map.get(key)?;
        if planted::on(Plant::C03) {
            return held.partition.timestamps();
        }
        Some(held.timestamps)
    }

    /// The first partition after `key`, or of all.
    pub(super) fn after(&self, key: Option<&DecoratedKey>) -> Option<(DecoratedKey, Partition)> {
        let lower = key.map_or(Bound::Unbounded, Bound::Excluded);
        let (key, held) = self.map.range((lower, Bound::Unbounded)).next()?;
        Some((key.clone(), held.partition.clone()))
    }

    pub(super) fn count(&self) -> usize {
        self.map.len()
    }

    pub(super) const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    pub(super) const fn timestamps(&self) -> Option<TimestampRange> {
        self.timestamps
    }
}
