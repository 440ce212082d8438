//! Steps on fjall: one keyspace in a directory of its own, its memtable large enough to hold all. It has no range
//! deletion: each row of a range is deleted by itself.

use fjall::{Database, Keyspace, KeyspaceCreateOptions};

use super::Peer;
use super::keys::Encoded;
use crate::workload::Deletion;

pub(crate) struct Fjall {
    keys: Encoded,
    keyspace: Keyspace,
    _database: Database,
    _dir: tempfile::TempDir,
    /// Up to where each partition was deleted.
    deleted: Vec<u64>,
    partitions: u64,
}

impl Peer for Fjall {
    const NAME: &'static str = "fjall";

    fn new() -> Fjall {
        let dir = tempfile::tempdir().expect("there is a place for temporary files");
        let database = Database::builder(dir.path()).open().expect("it is empty");
        let options = || KeyspaceCreateOptions::default().max_memtable_size(4 << 30);
        let keyspace = database.keyspace("rows", options);
        Fjall {
            keys: Encoded::new(),
            keyspace: keyspace.expect("it is new"),
            _database: database,
            _dir: dir,
            deleted: vec![0; 1_000],
            partitions: 1,
        }
    }

    fn insert(&mut self, partition: u64, at: u64, _timestamp: i64) {
        self.partitions = self.partitions.max(partition + 1);
        let key = self.keys.row(partition, at);
        let written = self.keyspace.insert(key, at.to_be_bytes());
        written.expect("the disk takes every write");
    }

    fn delete(&mut self, deletion: Deletion, _timestamp: i64) {
        let partition = deletion.partition;
        let (mut from, to) = deletion.span.covered();
        let index = usize::try_from(partition).expect("a small number");
        if from < to {
            // Rows are deleted in order: what a range from the start covered before is gone.
            from = from.max(self.deleted[index]);
            self.deleted[index] = to;
        }
        let first = from + (partition + self.partitions - from % self.partitions) % self.partitions;
        for at in (first..=to).step_by(usize::try_from(self.partitions).expect("a small number")) {
            let removed = self.keyspace.remove(self.keys.row(partition, at));
            removed.expect("the disk takes every write");
        }
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        let found = if reversed {
            let range = self.keys.bottom(partition)..self.keys.before(partition, at);
            self.keyspace.range(range).next_back()
        } else {
            let range = self.keys.after(partition, at)..self.keys.top(partition);
            self.keyspace.range(range).next()
        };
        let value = found?.value().expect("what was written is read");
        Some(u64::from_be_bytes(
            value.as_ref().try_into().expect("a value has eight bytes"),
        ))
    }
}
