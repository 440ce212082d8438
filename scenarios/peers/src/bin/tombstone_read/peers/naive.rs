//! Invariants of the naive map: a deletion is written over each row it covers, as a tombstone that a read has to pass.

use std::collections::BTreeMap;

use super::Peer;
use super::keys::Encoded;
use crate::workload::Deletion;

pub(crate) struct Naive {
    keys: Encoded,
    map: BTreeMap<Vec<u8>, Option<u64>>,
}

impl Peer for Naive {
    const NAME: &'static str = "map with tombstones";

    fn new() -> Naive {
        Naive {
            keys: Encoded::new(),
            map: BTreeMap::new(),
        }
    }

    fn insert(&mut self, partition: u64, at: u64, _timestamp: i64) {
        self.map.insert(self.keys.row(partition, at), Some(at));
    }

    fn delete(&mut self, deletion: Deletion, _timestamp: i64) {
        let partition = deletion.partition;
        let (from, to) = deletion.span.covered();
        if from == to {
            self.map.insert(self.keys.row(partition, to), None);
            return;
        }
        // What was covered before is a tombstone already: rows are deleted in order, so only the end is new.
        let range = self.keys.before(partition, from)..self.keys.after(partition, to);
        for (_, value) in self.map.range_mut(range).rev() {
            if value.take().is_none() {
                break;
            }
        }
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        if reversed {
            let range = self.keys.bottom(partition)..self.keys.before(partition, at);
            return self.map.range(range).rev().find_map(|(_, value)| *value);
        }
        let range = self.keys.after(partition, at)..self.keys.top(partition);
        self.map.range(range).find_map(|(_, value)| *value)
    }
}
