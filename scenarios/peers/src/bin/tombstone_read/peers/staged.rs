//! Invariants of the older design: a partition is an object with an ordered map of rows, which may be dead, and a
//! sorted list of ranges; a read walks the rows and filters.

use std::collections::BTreeMap;

use super::Peer;
use crate::workload::{Deletion, Span};

#[derive(Default)]
struct Partition {
    /// Value, write time and the time of the row deletion.
    rows: BTreeMap<u64, (Option<u64>, i64, i64)>,
    /// Disjoint and ascending: start, end (both included), time.
    ranges: Vec<(u64, u64, i64)>,
}

impl Partition {
    fn delete_range(&mut self, from: u64, to: u64, timestamp: i64) {
        // Every deletion is later than all before it: it covers what it meets.
        let first = self.ranges.partition_point(|range| range.1 < from);
        let last = self.ranges.partition_point(|range| range.0 <= to);
        let mut pieces = vec![(from, to, timestamp)];
        if let Some(&(start, _, time)) = self.ranges[first..last].first()
            && start < from
        {
            pieces.insert(0, (start, from - 1, time));
        }
        if let Some(&(_, end, time)) = self.ranges[first..last].last()
            && end > to
        {
            pieces.push((to + 1, end, time));
        }
        self.ranges.splice(first..last, pieces);
    }

    fn is_live(&self, at: u64, row: &(Option<u64>, i64, i64)) -> bool {
        let index = self.ranges.partition_point(|range| range.1 < at);
        let over = self.ranges.get(index).filter(|range| range.0 <= at);
        row.0.is_some() && row.1 > row.2 && over.is_none_or(|range| row.1 > range.2)
    }
}

pub(crate) struct Staged {
    partitions: BTreeMap<u64, Partition>,
}

impl Peer for Staged {
    const NAME: &'static str = "rows with flags, ranges in a list";

    fn new() -> Staged {
        Staged {
            partitions: BTreeMap::new(),
        }
    }

    fn insert(&mut self, partition: u64, at: u64, timestamp: i64) {
        let partition = self.partitions.entry(partition).or_default();
        let row = partition.rows.entry(at).or_insert((None, 0, 0));
        (row.0, row.1) = (Some(at), timestamp);
    }

    fn delete(&mut self, deletion: Deletion, timestamp: i64) {
        let partition = self.partitions.entry(deletion.partition).or_default();
        if let Span::Row(at) = deletion.span {
            partition.rows.entry(at).or_insert((None, 0, 0)).2 = timestamp;
            return;
        }
        let (from, to) = deletion.span.covered();
        partition.delete_range(from, to, timestamp);
    }

    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64> {
        let partition = self.partitions.get(&partition)?;
        let live = |(at, row): (&u64, &(Option<u64>, i64, i64))| {
            partition.is_live(*at, row).then_some(row.0).flatten()
        };
        if reversed {
            return partition.rows.range(..at).rev().find_map(live);
        }
        partition.rows.range(at + 1..).find_map(live)
    }
}
