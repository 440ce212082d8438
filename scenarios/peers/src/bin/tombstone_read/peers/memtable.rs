//! Steps on this project's memtable: at its own interface, and through the engine's read path.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_engine::keys::{Bound, BoundSide, DecoratedKey, Slice, Value};
use cenotaph_engine::memtable;
use cenotaph_engine::read::{Columns, ReadCommand, Unfiltered, execute};
use cenotaph_engine::rows::{
    Cell, ColumnId, DeletionTime, Liveness, Mutation, Partition, RangeTombstone, Row, TableId,
};
use cenotaph_engine::schema::Table;

use super::Peer;
use super::keys::{self, Positions};
use crate::table;
use crate::workload::{Deletion, Span};

const TABLE: TableId = TableId(1);

/// The memtable's own interface.
pub(crate) struct Memtable {
    memtable: Rc<memtable::Memtable>,
    partitions: Vec<DecoratedKey>,
    positions: Positions,
    value: ColumnId,
}

impl Memtable {
    fn put(&self, partition: u64, update: Partition) {
        let key = self.key(partition).clone();
        self.memtable
            .ticket()
            .memtable()
            .put(Mutation {
                table: TABLE,
                key,
                update,
            })
            .expect("the trie has room for a million rows");
    }

    fn key(&self, partition: u64) -> &DecoratedKey {
        &self.partitions[usize::try_from(partition).expect("a small number")]
    }
}

impl Memtable {
    /// The first row of a partition.
    pub(crate) fn first(&self, partition: u64) -> Option<u64> {
        let snapshot = self.memtable.snapshot(self.key(partition))?;
        let (_, row) = snapshot.next_row(&Bound::BOTTOM.0, false)?;
        let value = row.cell(self.value)?.value.as_ref().try_into();
        value.ok().map(u64::from_be_bytes)
    }

    /// Deletes a row by its key.
    pub(crate) fn pop(&mut self, partition: u64, at: u64) {
        let span = Span::Row(at);
        self.delete(Deletion { partition, span }, 2);
    }
}

impl Peer for Memtable {
    const NAME: &'static str = "memtable";

    fn new() -> Memtable {
        Memtable {
            memtable: memtable::Memtable::new(TABLE),
            partitions: (0..1_000).map(keys::partition).collect(),
            positions: Positions::new(),
            value: table::value_column(&table::table()),
        }
    }

    fn insert(&mut self, partition: u64, at: u64, timestamp: i64) {
        let row = Row {
            liveness: Some(Liveness::plain(timestamp)),
            cells: vec![(
                self.value.into(),
                Cell::plain(timestamp, Bytes::copy_from_slice(&at.to_be_bytes())),
            )],
            ..Row::default()
        };
        let update = Partition {
            rows: [(self.positions.row(at), row)].into_iter().collect(),
            ..Partition::default()
        };
        self.put(partition, update);
    }

    fn delete(&mut self, deletion: Deletion, timestamp: i64) {
        let when = DeletionTime {
            timestamp,
            local_deletion_seconds: 1,
        };
        let bound = |at, side| self.positions.bound(at, side);
        let range = |start, end| Partition {
            ranges: vec![RangeTombstone {
                start,
                end,
                deletion: when,
            }],
            ..Partition::default()
        };
        let update = match deletion.span {
            Span::Row(at) => Partition {
                rows: [(
                    self.positions.row(at),
                    Row {
                        deletion: Some(when),
                        ..Row::default()
                    },
                )]
                .into_iter()
                .collect(),
                ..Partition::default()
            },
            Span::Closed(from, to) => {
                range(bound(from, BoundSide::Before), bound(to, BoundSide::After))
            }
            Span::HalfOpen(from, to) => {
                range(bound(from, BoundSide::Before), bound(to, BoundSide::Before))
            }
            Span::UpTo(to) => range(Bound::BOTTOM, bound(to, BoundSide::After)),
        };
        self.put(deletion.partition, update);
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        let snapshot = self.memtable.snapshot(self.key(partition))?;
        let side = if reversed {
            BoundSide::Before
        } else {
            BoundSide::After
        };
        let (_, row) = snapshot.next_row(&self.positions.bound(at, side).0, reversed)?;
        let value = row.cell(self.value)?.value.as_ref().try_into();
        value.ok().map(u64::from_be_bytes)
    }

    fn bytes(&self) -> Option<(u64, u64)> {
        Some(self.memtable.trie_bytes())
    }
}

/// The engine's read path, from a command to decoded values.
pub(crate) struct Engine {
    inner: Memtable,
    table: Table,
}

impl Peer for Engine {
    const NAME: &'static str = "memtable, by the engine's reads";

    fn new() -> Engine {
        Engine {
            inner: Memtable::new(),
            table: table::table(),
        }
    }

    fn insert(&mut self, partition: u64, at: u64, timestamp: i64) {
        self.inner.insert(partition, at, timestamp);
    }

    fn delete(&mut self, deletion: Deletion, timestamp: i64) {
        self.inner.delete(deletion, timestamp);
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        let slice = if reversed {
            Slice {
                start: Bound::BOTTOM,
                end: self.inner.positions.bound(at, BoundSide::Before),
            }
        } else {
            Slice {
                start: self.inner.positions.bound(at, BoundSide::After),
                end: Bound::TOP,
            }
        };
        let command = ReadCommand {
            table: self.table.id,
            key: self.inner.key(partition).clone(),
            slice,
            reversed,
            limit: Some(1),
            columns: Columns::All,
            now_seconds: 1,
        };
        let mut sources = Unfiltered::default();
        if let Some(snapshot) = self.inner.memtable.snapshot(&command.key) {
            sources.push_snapshot(snapshot);
        }
        let found = execute(&command, &self.table, sources).expect("what is stored is whole");
        match found.rows.first()?.columns.first()?.1 {
            Some(Value::BigInt(value)) => Some(value.cast_unsigned()),
            _ => None,
        }
    }
}
