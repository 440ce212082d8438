//! Vocabulary of test content: partitions by hand and by proptest, and how to read without a machine.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use cenotaph_engine::commitlog::{Interval, Position};
use cenotaph_engine::keys::{
    BoundSide, Clustering, ClusteringShape, DataType, DecoratedKey, PartitionKey, Slice, Value,
};
use cenotaph_engine::rows::{
    Cell, CellKey, CellPath, ColumnId, DeletionTime, Liveness, Partition, RangeTombstone, Row,
    TableId,
};
use cenotaph_engine::sstable::{SstableId, SstableName, encode};
use proptest::prelude::*;

pub(crate) const NAME: SstableName = SstableName {
    table: TableId(7),
    id: SstableId(3),
};

pub(crate) const INTERVAL: Interval = Interval {
    lower: Position {
        segment: 1,
        offset: 48,
    },
    upper: Position {
        segment: 2,
        offset: 1_000,
    },
};

/// The output of a future over bytes in memory, which never waits.
pub(crate) fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("bytes in memory made a reader wait"),
    }
}

fn shape() -> ClusteringShape {
    ClusteringShape::ascending(&[DataType::Int])
}

pub(crate) fn key(number: u32) -> DecoratedKey {
    DecoratedKey::new(PartitionKey(Bytes::copy_from_slice(&number.to_be_bytes())))
}

pub(crate) fn clustering(number: i32) -> Clustering {
    shape()
        .clustering(&[Value::Int(number)])
        .expect("one value of the right type")
}

/// Rows `from..to`.
pub(crate) fn slice(from: i32, to: i32) -> Slice {
    Slice {
        start: shape()
            .bound(&[Value::Int(from)], BoundSide::Before)
            .expect("one value of the right type"),
        end: shape()
            .bound(&[Value::Int(to)], BoundSide::Before)
            .expect("one value of the right type"),
    }
}

pub(crate) fn deletion(timestamp: i64) -> DeletionTime {
    DeletionTime {
        timestamp,
        local_deletion_seconds: 1_000,
    }
}

pub(crate) fn live_row(timestamp: i64, value: &[u8]) -> Row {
    let mut row = Row {
        liveness: Some(Liveness::plain(timestamp)),
        ..Row::default()
    };
    row.put(
        ColumnId(2),
        Cell::plain(timestamp, Bytes::copy_from_slice(value)),
    );
    row
}

pub(crate) fn range(from: i32, to: i32, timestamp: i64) -> RangeTombstone {
    let Slice { start, end } = slice(from, to);
    RangeTombstone {
        start,
        end,
        deletion: deletion(timestamp),
    }
}

/// Two partitions with everything a partition can have.
pub(crate) fn small() -> Vec<(DecoratedKey, Partition)> {
    let mut first = Partition::default();
    first.delete(deletion(5));
    first.apply_static(Row {
        cells: vec![(ColumnId(1).into(), Cell::tombstone(9, 77))],
        ..Row::default()
    });
    first.delete_range(&range(3, 6, 8));
    first.apply_row(clustering(1), live_row(10, b"one"));
    first.apply_row(
        clustering(4),
        Row {
            deletion: Some(deletion(11)),
            ..live_row(12, b"four")
        },
    );
    first.apply_row(
        clustering(7),
        Row {
            deletion: Some(deletion(13)),
            ..Row::default()
        },
    );
    let mut second = Partition::default();
    second.apply_row(clustering(2), live_row(20, b""));
    let mut map = Row::default();
    map.delete_elements(ColumnId(3), deletion(19));
    let element = CellKey::element(ColumnId(3), CellPath::from(&b"k"[..]));
    map.put(element, Cell::plain(20, Bytes::from_static(b"element")));
    second.apply_row(clustering(3), map);
    sorted(vec![(key(1), first), (key(2), second)])
}

pub(crate) fn sorted(
    mut partitions: Vec<(DecoratedKey, Partition)>,
) -> Vec<(DecoratedKey, Partition)> {
    partitions.sort_by(|a, b| a.0.cmp(&b.0));
    partitions.dedup_by(|a, b| a.0 == b.0);
    partitions
}

pub(crate) fn bytes_of(partitions: &[(DecoratedKey, Partition)], block_size: usize) -> Bytes {
    Bytes::from(encode(NAME, INTERVAL, block_size, partitions))
}

/// One change of a partition whose clusterings are `0..20`.
#[derive(Clone, Debug)]
enum Change {
    Delete(i64),
    Static(i64),
    Row(i32, i64, Vec<u8>),
    Map(i32, i64, Vec<u8>),
    DeleteRow(i32, i64),
    DeleteCell(i32, i64),
    Range(i32, i32, i64),
}

fn change() -> impl Strategy<Value = Change> {
    let (row, timestamp) = (0..20_i32, 1..50_i64);
    prop_oneof![
        1 => timestamp.clone().prop_map(Change::Delete),
        2 => timestamp.clone().prop_map(Change::Static),
        12 => (row.clone(), timestamp.clone(), prop::collection::vec(any::<u8>(), 0..12))
            .prop_map(|(row, timestamp, value)| Change::Row(row, timestamp, value)),
        4 => (row.clone(), timestamp.clone(), prop::collection::vec(any::<u8>(), 0..3))
            .prop_map(|(row, timestamp, path)| Change::Map(row, timestamp, path)),
        4 => (row.clone(), timestamp.clone()).prop_map(|(row, at)| Change::DeleteRow(row, at)),
        3 => (row.clone(), timestamp.clone()).prop_map(|(row, at)| Change::DeleteCell(row, at)),
        4 => (row.clone(), row, timestamp).prop_map(|(from, to, at)| Change::Range(from, to, at)),
    ]
}

fn apply(partition: &mut Partition, change: Change) {
    match change {
        Change::Delete(at) => {
            partition.delete(deletion(at));
        }
        Change::Static(at) => {
            partition.apply_static(live_row(at, b"static"));
        }
        Change::Row(row, at, value) => {
            partition.apply_row(clustering(row), live_row(at, &value));
        }
        Change::Map(row, at, value) => {
            let mut map = Row::default();
            map.delete_elements(ColumnId(4), deletion(at - 1));
            let path = CellPath::from(&value[..]);
            map.put(
                CellKey::element(ColumnId(4), path),
                Cell::plain(at, Bytes::new()),
            );
            partition.apply_row(clustering(row), map);
        }
        Change::DeleteRow(row, at) => {
            let row_deletion = Row {
                deletion: Some(deletion(at)),
                ..Row::default()
            };
            partition.apply_row(clustering(row), row_deletion);
        }
        Change::DeleteCell(row, at) => {
            let cell = Cell::tombstone(at, 1_000);
            let cells = vec![(ColumnId(3).into(), cell)];
            partition.apply_row(
                clustering(row),
                Row {
                    cells,
                    ..Row::default()
                },
            );
        }
        Change::Range(from, to, at) => {
            partition.delete_range(&range(from, to, at));
        }
    }
}

fn partition() -> impl Strategy<Value = Partition> {
    prop::collection::vec(change(), 1..40).prop_map(|changes| {
        let mut partition = Partition::default();
        changes
            .into_iter()
            .for_each(|change| apply(&mut partition, change));
        partition
    })
}

/// Some partitions, in key order.
pub(crate) fn table() -> impl Strategy<Value = Vec<(DecoratedKey, Partition)>> {
    let partitions = prop::collection::vec((0..100_u32, partition()), 1..12).prop_map(|numbered| {
        let filled = numbered
            .into_iter()
            .filter(|(_, partition)| !partition.is_empty());
        sorted(
            filled
                .map(|(number, partition)| (key(number), partition))
                .collect(),
        )
    });
    partitions.prop_filter("an sstable has a partition", |partitions| {
        !partitions.is_empty()
    })
}
