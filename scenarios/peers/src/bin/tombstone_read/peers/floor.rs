//! Invariants of the floor: an ordered map of encoded keys from which deleted rows are really gone. It forgets
//! deletions, so it could not be merged with anything: the least that a read can cost.

use std::collections::BTreeMap;

use super::Peer;
use super::keys::Encoded;
use crate::workload::{Deletion, Span};

pub(crate) struct Floor {
    keys: Encoded,
    map: BTreeMap<Vec<u8>, u64>,
}

impl Peer for Floor {
    const NAME: &'static str = "map, deleted for good";

    fn new() -> Floor {
        Floor {
            keys: Encoded::new(),
            map: BTreeMap::new(),
        }
    }

    fn insert(&mut self, partition: u64, at: u64, _timestamp: i64) {
        self.map.insert(self.keys.row(partition, at), at);
    }

    fn delete(&mut self, deletion: Deletion, _timestamp: i64) {
        let partition = deletion.partition;
        if let Span::Row(at) = deletion.span {
            self.map.remove(&self.keys.row(partition, at));
            return;
        }
        let (from, to) = deletion.span.covered();
        let end = self.keys.after(partition, to);
        let mut start = self.keys.before(partition, from);
        while let Some((key, _)) = self.map.range(start..end.clone()).next() {
            let key = key.clone();
            self.map.remove(&key);
            start = key;
        }
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        if reversed {
            let range = self.keys.bottom(partition)..self.keys.before(partition, at);
            return self.map.range(range).next_back().map(|(_, value)| *value);
        }
        let range = self.keys.after(partition, at)..self.keys.top(partition);
        self.map.range(range).next().map(|(_, value)| *value)
    }
}
