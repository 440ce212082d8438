//! Steps on redb: one table, in memory; writes in transactions of 1,000 statements that are not made durable.

use redb::backends::InMemoryBackend;
use redb::{Database, ReadableDatabase, TableDefinition, WriteTransaction};

use super::Peer;
use super::keys::Encoded;
use crate::workload::{Deletion, Span};

const TABLE: TableDefinition<'_, &[u8], u64> = TableDefinition::new("rows");
const STATEMENTS_PER_TRANSACTION: usize = 1_000;

pub(crate) struct Redb {
    keys: Encoded,
    database: Database,
    running: Option<WriteTransaction>,
    statements: usize,
    reading: Option<redb::ReadOnlyTable<&'static [u8], u64>>,
}

impl Redb {
    fn transaction(&mut self) -> &WriteTransaction {
        self.statements += 1;
        if self.statements.is_multiple_of(STATEMENTS_PER_TRANSACTION)
            && let Some(running) = self.running.take()
        {
            running.commit().expect("memory takes every write");
        }
        self.running.get_or_insert_with(|| {
            let mut running = self.database.begin_write().expect("nobody else writes");
            let durability = running.set_durability(redb::Durability::None);
            durability.expect("no savepoint was made");
            running
        })
    }
}

impl Peer for Redb {
    const NAME: &'static str = "redb";

    fn new() -> Redb {
        let database = Database::builder().create_with_backend(InMemoryBackend::new());
        Redb {
            keys: Encoded::new(),
            database: database.expect("an empty backend becomes a database"),
            running: None,
            statements: 0,
            reading: None,
        }
    }

    fn insert(&mut self, partition: u64, at: u64, _timestamp: i64) {
        let key = self.keys.row(partition, at);
        let mut table = self
            .transaction()
            .open_table(TABLE)
            .expect("it is open once");
        let replaced = table.insert(&key[..], at);
        replaced.expect("memory takes every write");
    }

    fn delete(&mut self, deletion: Deletion, _timestamp: i64) {
        let partition = deletion.partition;
        let (from, to) = deletion.span.covered();
        let is_row = matches!(deletion.span, Span::Row(_));
        let row = self.keys.row(partition, to);
        let (start, end) = (
            self.keys.before(partition, from),
            self.keys.after(partition, to),
        );
        let mut table = self
            .transaction()
            .open_table(TABLE)
            .expect("it is open once");
        if is_row {
            table.remove(&row[..]).expect("memory takes every write");
        } else {
            let removed = table.retain_in(&start[..]..&end[..], |_, _| false);
            removed.expect("memory takes every write");
        }
    }

    fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.commit().expect("memory takes every write");
        }
        let reading = self.database.begin_read().expect("nothing is in the way");
        self.reading = Some(reading.open_table(TABLE).expect("it was written"));
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        let table = self.reading.as_ref().expect("reads come after the writes");
        let found = if reversed {
            let (start, end) = (self.keys.bottom(partition), self.keys.before(partition, at));
            let mut range = table.range(&start[..]..&end[..]).expect("memory reads");
            range.next_back()
        } else {
            let (start, end) = (self.keys.after(partition, at), self.keys.top(partition));
            let mut range = table.range(&start[..]..&end[..]).expect("memory reads");
            range.next()
        };
        found.map(|entry| entry.expect("memory reads").1.value())
    }
}
