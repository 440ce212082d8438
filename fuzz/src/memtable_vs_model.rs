//! Invariants of memtables: whatever is written, a memtable holds what a merge of partitions in ordered maps holds,
//! its snapshots show what was there, and a live-only read of two memtables shows what their merge shows.
//!
//! Rows have two clustering columns, so that ranges of a prefix hold several rows, and lie in one another.

use arbitrary::{Result, Unstructured};
use bytes::Bytes;
use cenotaph_engine::keys::{
    Bound, BoundSide, Clustering, ClusteringShape, DataType, DecoratedKey, PartitionKey, Slice,
    Value,
};
use cenotaph_engine::memtable::{Memtable, Snapshot};
use cenotaph_engine::read::Unfiltered;
use cenotaph_engine::rows::{
    Cell, CellKey, CellPath, ColumnId, DeletionTime, Liveness, Mutation, Partition, RangeTombstone,
    Row, TableId,
};
use std::rc::Rc;

const TABLE: TableId = TableId(1);
const WRITES_MAX: usize = 60;
const READERS_MAX: usize = 3;
/// Few values and times, so that all meet.
const VALUES: i32 = 3;
const TIMES: i64 = 8;

/// Writes what a fuzzer's bytes say into two memtables and into two partitions made of ordered maps, and compares;
/// says whether the bytes mean anything.
///
/// # Panics
/// When a memtable breaks a law.
pub fn memtable_vs_model(input: &[u8]) -> bool {
    drawn(&mut Unstructured::new(input)).is_ok()
}

/// A memtable with one partition, and what it has to hold.
struct Pair {
    memtable: Rc<Memtable>,
    model: Partition,
    readers: Vec<(Snapshot, Partition)>,
}

impl Pair {
    fn new() -> Pair {
        Pair {
            memtable: Memtable::new(TABLE),
            model: Partition::default(),
            readers: Vec::new(),
        }
    }

    fn step(&mut self, source: &mut Unstructured<'_>) -> Result<()> {
        let update = update(source)?;
        self.model.apply(update.clone());
        let ticket = self.memtable.ticket();
        let written = ticket.memtable().put(Mutation {
            table: TABLE,
            key: key(),
            update,
        });
        written.expect("a memtable has room for some dozen rows");
        drop(ticket);
        let held = self.memtable.get(&key(), &Slice::ALL);
        assert_eq!(held.unwrap_or_default(), self.model);
        let slice = slice(source)?;
        let part = self.memtable.get(&key(), &slice);
        assert_eq!(part.unwrap_or_default(), self.model.slice(&slice));
        if source.ratio(1_u8, 4)?
            && self.readers.len() < READERS_MAX
            && let Some(snapshot) = self.memtable.snapshot(&key())
        {
            self.readers.push((snapshot, self.model.clone()));
        }
        if source.ratio(1_u8, 6)? && !self.readers.is_empty() {
            self.check_reader();
        }
        Ok(())
    }

    /// The oldest reader sees what it saw, and goes.
    fn check_reader(&mut self) {
        let (snapshot, seen) = self.readers.remove(0);
        assert_eq!(snapshot.copy(&Slice::ALL), seen);
    }
}

fn drawn(source: &mut Unstructured<'_>) -> Result<()> {
    let mut pairs = [Pair::new(), Pair::new()];
    let mut outcome = Ok(());
    for _ in 0..WRITES_MAX {
        if source.is_empty() {
            break;
        }
        let pair = &mut pairs[usize::from(source.ratio(1_u8, 3)?)];
        outcome = pair.step(source);
        if outcome.is_err() {
            break;
        }
    }
    let slice = slice(source).unwrap_or(Slice::ALL);
    for reversed in [false, true] {
        compare_live(&pairs, &slice, reversed);
    }
    for pair in &mut pairs {
        while !pair.readers.is_empty() {
            pair.check_reader();
        }
    }
    outcome
}

fn compare_live(pairs: &[Pair; 2], slice: &Slice, reversed: bool) {
    let (mut unfiltered, mut merged) = (Unfiltered::default(), Partition::default());
    for pair in pairs {
        merged.apply(pair.model.clone());
        if let Some(snapshot) = pair.memtable.snapshot(&key()) {
            unfiltered.push_snapshot(snapshot);
        }
    }
    // A deletion of elements is no tombstone that a reader has to see: it may be passed with its source.
    let shown = |(clustering, row): (Clustering, Row)| {
        let row = Row {
            deletion: None,
            complex: Vec::new(),
            ..row
        };
        (!row.is_empty()).then_some((clustering, row))
    };
    let live_only = unfiltered.into_live_only(slice, reversed);
    let mut expected: Vec<_> = merged
        .slice(slice)
        .rows
        .into_iter()
        .filter_map(shown)
        .collect();
    if reversed {
        expected.reverse();
    }
    assert_eq!(live_only.filter_map(shown).collect::<Vec<_>>(), expected);
}

fn key() -> DecoratedKey {
    DecoratedKey::new(PartitionKey(Bytes::from_static(b"p")))
}

fn shape() -> ClusteringShape {
    ClusteringShape::ascending(&[DataType::Int; 2])
}

fn update(source: &mut Unstructured<'_>) -> Result<Partition> {
    let mut partition = Partition::default();
    match source.int_in_range(0..=9_u8)? {
        0 => drop(partition.delete(deletion(source)?)),
        1 => drop(partition.apply_static(row(source)?)),
        2..=4 => {
            let Slice { start, end } = slice(source)?;
            let deletion = deletion(source)?;
            partition.delete_range(&RangeTombstone {
                start,
                end,
                deletion,
            });
        }
        kind => {
            let values = [value(source)?, value(source)?];
            let at = shape().clustering(&values);
            let mut row = row(source)?;
            if kind == 5 {
                row = Row {
                    deletion: Some(deletion(source)?),
                    ..Row::default()
                };
            }
            partition.apply_row(at.expect("two ints are a clustering"), row);
        }
    }
    Ok(partition)
}

fn row(source: &mut Unstructured<'_>) -> Result<Row> {
    let time = source.int_in_range(0..=TIMES)?;
    let mut row = Row::default();
    match source.int_in_range(0..=5_u8)? {
        0 => row.liveness = Some(Liveness::plain(time)),
        1 => row.put(ColumnId(1), Cell::tombstone(time, 1)),
        2 => row.delete_elements(ColumnId(2), deletion(source)?),
        3 => {
            let path = CellPath::from(&[source.int_in_range(0..=2_u8)?][..]);
            let element = CellKey::element(ColumnId(2), path);
            row.put(element, Cell::plain(time, Bytes::new()));
        }
        _ => {
            let value = Bytes::copy_from_slice(&[source.int_in_range(0..=2_u8)?]);
            row.put(ColumnId(1), Cell::plain(time, value));
        }
    }
    Ok(row)
}

fn deletion(source: &mut Unstructured<'_>) -> Result<DeletionTime> {
    Ok(DeletionTime {
        timestamp: source.int_in_range(0..=TIMES)?,
        local_deletion_seconds: source.int_in_range(1..=2)?,
    })
}

fn value(source: &mut Unstructured<'_>) -> Result<Value> {
    Ok(Value::Int(source.int_in_range(0..=VALUES)?))
}

/// Often of exactly one prefix.
fn slice(source: &mut Unstructured<'_>) -> Result<Slice> {
    let start = bound(source)?;
    let mut end = bound(source)?;
    if source.ratio(1_u8, 3)? {
        let mut bytes = start.0.to_vec();
        if let Some(last) = bytes.last_mut() {
            *last = Bound::TOP.0[0];
        }
        end = Bound(Bytes::from(bytes));
    }
    Ok(Slice { start, end })
}

fn bound(source: &mut Unstructured<'_>) -> Result<Bound> {
    let mut values = Vec::new();
    for _ in 0..source.int_in_range(0..=2_u8)? {
        values.push(value(source)?);
    }
    let side = if source.ratio(1_u8, 2)? {
        BoundSide::Before
    } else {
        BoundSide::After
    };
    let bound = shape().bound(&values, side);
    Ok(bound.expect("at most two ints are a prefix"))
}
