//! Vocabulary of partitions under test: rows keyed by one `int`, two regular columns, one static one.

use bytes::Bytes;
use cenotaph_engine::keys::{
    Bound, BoundSide, Clustering, ClusteringShape, DataType, Slice, Value,
};
use cenotaph_engine::rows::{
    Cell, CellKey, CellPath, ColumnId, DeletionTime, Liveness, Partition, RangeTombstone, Row,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A regular column.
pub(crate) const V: ColumnId = ColumnId(1);
/// Another regular column.
pub(crate) const W: ColumnId = ColumnId(2);
/// The static column.
pub(crate) const S: ColumnId = ColumnId(3);
/// A regular column of many cells.
pub(crate) const M: ColumnId = ColumnId(5);

pub(crate) fn shape() -> ClusteringShape {
    ClusteringShape::ascending(&[DataType::Int])
}

pub(crate) fn at(key: i32) -> Clustering {
    shape().clustering(&[Value::Int(key)]).unwrap()
}

pub(crate) fn before(key: i32) -> Bound {
    shape()
        .bound(&[Value::Int(key)], BoundSide::Before)
        .unwrap()
}

pub(crate) fn after(key: i32) -> Bound {
    shape().bound(&[Value::Int(key)], BoundSide::After).unwrap()
}

pub(crate) fn cell(value: &str, timestamp: i64) -> Cell {
    Cell::plain(timestamp, Bytes::copy_from_slice(value.as_bytes()))
}

pub(crate) fn expiring(value: &str, timestamp: i64, ttl: u32, expiry: u32) -> Cell {
    Cell::expiring(
        timestamp,
        ttl,
        expiry,
        Bytes::copy_from_slice(value.as_bytes()),
    )
}

pub(crate) fn tombstone(timestamp: i64, seconds: u32) -> Cell {
    Cell::tombstone(timestamp, seconds)
}

/// A deletion time with a local deletion time that all such share.
pub(crate) fn deletion(timestamp: i64) -> DeletionTime {
    deletion_at(timestamp, 100)
}

pub(crate) fn deletion_at(timestamp: i64, seconds: u32) -> DeletionTime {
    DeletionTime {
        timestamp,
        local_deletion_seconds: seconds,
    }
}

pub(crate) fn partition_deletion(deletion: DeletionTime) -> Partition {
    let mut partition = Partition::default();
    partition.delete(deletion);
    partition
}

pub(crate) fn row(key: i32, row: Row) -> Partition {
    let mut partition = Partition::default();
    partition.apply_row(at(key), row);
    partition
}

pub(crate) fn row_deletion(key: i32, deletion: DeletionTime) -> Partition {
    row(
        key,
        Row {
            deletion: Some(deletion),
            ..Row::default()
        },
    )
}

pub(crate) fn row_cell(key: i32, column: ColumnId, cell: Cell) -> Partition {
    row(
        key,
        Row {
            cells: vec![(column.into(), cell)],
            ..Row::default()
        },
    )
}

pub(crate) fn path(name: &str) -> CellPath {
    CellPath::from(name.as_bytes())
}

/// An element of the multi-cell column.
pub(crate) fn element(key: i32, name: &str, cell: Cell) -> Partition {
    row(
        key,
        Row {
            cells: vec![(CellKey::element(M, path(name)), cell)],
            ..Row::default()
        },
    )
}

/// A deletion of all elements of the multi-cell column.
pub(crate) fn complex(key: i32, deletion: DeletionTime) -> Partition {
    row(
        key,
        Row {
            complex: vec![(M, deletion)],
            ..Row::default()
        },
    )
}

pub(crate) fn row_marker(key: i32, marker: Liveness) -> Partition {
    row(
        key,
        Row {
            liveness: Some(marker),
            ..Row::default()
        },
    )
}

pub(crate) fn static_cell(cell: Cell) -> Partition {
    let mut partition = Partition::default();
    partition.apply_static(Row {
        cells: vec![(S.into(), cell)],
        ..Row::default()
    });
    partition
}

pub(crate) fn range(start: Bound, end: Bound, deletion: DeletionTime) -> Partition {
    let mut partition = Partition::default();
    partition.delete_range(&RangeTombstone {
        start,
        end,
        deletion,
    });
    partition
}

/// The merge of some versions, which has to be the same in every order (up to 5 are tried).
pub(crate) fn merge(versions: &[Partition]) -> Partition {
    let merged = merge_in_order(versions);
    assert!(
        versions.len() <= 5,
        "all orders of many versions are too many"
    );
    for order in permutations(versions.len()) {
        let ordered: Vec<Partition> = order.iter().map(|&index| versions[index].clone()).collect();
        assert_eq!(merge_in_order(&ordered), merged, "order {order:?}");
    }
    assert!(merged.is_canonical());
    merged
}

pub(crate) fn merge_in_order(versions: &[Partition]) -> Partition {
    versions
        .iter()
        .fold(Partition::default(), |mut merged, version| {
            merged.apply(version.clone());
            merged
        })
}

pub(crate) fn permutations(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let shorter = permutations(last);
    let with_last = |order: &Vec<usize>, place: usize| {
        let mut longer = order.clone();
        longer.insert(place, last);
        longer
    };
    shorter
        .iter()
        .flat_map(|order| (0..count).map(move |place| with_last(order, place)))
        .collect()
}

/// The keys of the visible rows at the wall second `now`.
pub(crate) fn visible(partition: &Partition, now: u32) -> Vec<i32> {
    let rows = partition.rows.iter().filter(|(_, row)| row.is_visible(now));
    rows.map(
        |(clustering, _)| match shape().values(clustering).unwrap()[..] {
            [Value::Int(key)] => key,
            ref other => panic!("{other:?}"),
        },
    )
    .collect()
}

/// One elementary write, as the oracle understands it.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Partition(DeletionTime),
    Static(Cell),
    Marker(i32, Liveness),
    Cell(i32, ColumnId, Cell),
    Element(i32, &'static str, Cell),
    Complex(i32, DeletionTime),
    Row(i32, DeletionTime),
    Range(Bound, Bound, DeletionTime),
}

impl Write {
    pub(crate) fn to_partition(&self) -> Partition {
        match self.clone() {
            Write::Partition(deletion) => partition_deletion(deletion),
            Write::Static(cell) => static_cell(cell),
            Write::Marker(key, marker) => row_marker(key, marker),
            Write::Cell(key, column, cell) => row_cell(key, column, cell),
            Write::Element(key, name, cell) => element(key, name, cell),
            Write::Complex(key, deletion) => complex(key, deletion),
            Write::Row(key, deletion) => row_deletion(key, deletion),
            Write::Range(start, end, deletion) => range(start, end, deletion),
        }
    }
}

/// Paths under test, ascending.
pub(crate) const PATHS: [&str; 3] = ["", "a", "b"];

/// Keys under test are `0..KEYS`.
pub(crate) const KEYS: i32 = 5;

fn any_deletion() -> impl Strategy<Value = DeletionTime> {
    (-1_i64..6, 1_u32..4).prop_map(|(timestamp, seconds)| deletion_at(timestamp, seconds))
}

fn any_path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&PATHS[..])
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let value = prop_oneof![Just(""), Just("a"), Just("ab"), Just("b")];
    let kind = prop_oneof![2 => Just(0), 1 => Just(1), 1 => Just(2)];
    (kind, -1_i64..7, value, 1_u32..3, 1_u32..4).prop_map(
        |(kind, timestamp, value, ttl, seconds)| match kind {
            0 => cell(value, timestamp),
            1 => expiring(value, timestamp, ttl, seconds),
            _ => tombstone(timestamp, seconds),
        },
    )
}

fn any_marker() -> impl Strategy<Value = Liveness> {
    (-1_i64..7, 0_u32..3, 1_u32..4).prop_map(|(timestamp, ttl, expiry)| match ttl {
        0 => Liveness::plain(timestamp),
        ttl => Liveness::expiring(timestamp, ttl, expiry),
    })
}

pub(crate) fn any_bound() -> impl Strategy<Value = Bound> {
    prop_oneof![
        1 => Just(Bound::BOTTOM),
        1 => Just(Bound::TOP),
        4 => (0..KEYS).prop_map(before),
        4 => (0..KEYS).prop_map(after),
    ]
}

pub(crate) fn any_slice() -> impl Strategy<Value = Slice> {
    (any_bound(), any_bound()).prop_map(|(start, end)| Slice { start, end })
}

pub(crate) fn any_write() -> impl Strategy<Value = Write> {
    let column = prop_oneof![Just(V), Just(W)];
    prop_oneof![
        1 => any_deletion().prop_map(Write::Partition),
        1 => any_cell().prop_map(Write::Static),
        3 => (0..KEYS, any_marker()).prop_map(|(key, marker)| Write::Marker(key, marker)),
        6 => (0..KEYS, column, any_cell()).prop_map(|(key, id, cell)| Write::Cell(key, id, cell)),
        4 => (0..KEYS, any_path(), any_cell())
            .prop_map(|(key, name, cell)| Write::Element(key, name, cell)),
        2 => (0..KEYS, any_deletion()).prop_map(|(key, deletion)| Write::Complex(key, deletion)),
        2 => (0..KEYS, any_deletion()).prop_map(|(key, deletion)| Write::Row(key, deletion)),
        4 => (any_bound(), any_bound(), any_deletion())
            .prop_map(|(start, end, deletion)| Write::Range(start, end, deletion)),
    ]
}

pub(crate) fn any_writes(count_max: usize) -> impl Strategy<Value = Vec<Write>> {
    vec(any_write(), 0..count_max)
}

pub(crate) fn any_partition() -> impl Strategy<Value = Partition> {
    any_writes(14).prop_map(|writes| {
        merge_in_order(&writes.iter().map(Write::to_partition).collect::<Vec<_>>())
    })
}
