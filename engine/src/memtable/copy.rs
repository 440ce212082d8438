//! Steps from the two branches of a partition back to one: live rows in order; each row deletion to its row; ranges
//! from one change of the deletion in force to the next, joined where two with one deletion touch.

use bytes::Bytes;

use super::branch::{before, span_start, stone_of};
use super::held::{Held, STATIC_KEY};
use super::leaf::{Entry, Reach};
use super::partitions::{Partitions, row_of};
use crate::keys::{Bound, Clustering, Slice};
use crate::rows::{DeletionTime, Partition, RangeTombstone, Row, Rows};
use crate::trie::Direction;
use crate::trie::arena::Root;
use crate::trie::verify::watched;
use crate::trie::walk::Entries;

impl Partitions {
    /// A copy of a partition's part within a slice.
    pub(super) fn copy(&self, held: &Held, slice: &Slice) -> Partition {
        let mut partition = Partition {
            deletion: held.deletion,
            ..Partition::default()
        };
        if let Some(leaf) = self.arena.get(held.live, STATIC_KEY) {
            partition.static_row = self.rows.get(row_of(leaf).0).clone();
        }
        self.copy_rows(held.live, slice, &mut partition);
        if !slice.is_empty() {
            self.copy_stones(held.stones, slice, &mut partition);
        }
        partition
    }

    fn copy_rows(&self, live: Root, slice: &Slice, partition: &mut Partition) {
        let mut entries = Entries::new(watched(self.arena.cursor(live, Direction::Forward)));
        entries.seek(&slice.start.0);
        while let Some(leaf) = entries.next_content() {
            if entries.path() >= &slice.end.0[..] {
                return;
            }
            let row = self.rows.get(row_of(leaf).0).clone();
            let clustering = Clustering(Bytes::copy_from_slice(entries.path()));
            partition.rows.insert(clustering, row);
        }
    }

    fn copy_stones(&self, stones: Root, slice: &Slice, partition: &mut Partition) {
        let (start, end) = (&slice.start.0[..], &slice.end.0[..]);
        let mut entries = Entries::new(watched(self.arena.cursor(stones, Direction::Forward)));
        entries.seek(start);
        let Some(entry) = entries.next_content().map(stone_of) else {
            return;
        };
        let rows = &mut partition.rows;
        let mut ranges = Ranges {
            list: &mut partition.ranges,
            reached: slice.start.0.clone(),
            in_force: before(entry, entries.path(), start),
        };
        let mut next = Some(entry);
        while let Some(entry) = next {
            let at = entries.path();
            if let Entry::Within {
                reach: Reach::Row,
                deletion,
                ..
            } = entry
                && at < end
            {
                delete_row(rows, at, deletion);
            }
            ranges.pass(entry, at, (start, end));
            if at >= end {
                break;
            }
            next = entries.next_content().map(stone_of);
        }
        ranges.reach(end);
    }
}

/// A list of ranges that grows at its end.
struct Ranges<'a> {
    list: &'a mut Vec<RangeTombstone>,
    reached: Bytes,
    in_force: Option<DeletionTime>,
}

impl Ranges<'_> {
    /// Goes on over an entry, or up to the end of the slice if it stands behind that.
    fn pass(&mut self, entry: Entry, at: &[u8], (start, end): (&[u8], &[u8])) {
        match entry {
            Entry::Within {
                reach: Reach::Row,
                around,
                ..
            } => self.in_force = around,
            Entry::Within {
                reach: Reach::Span,
                deletion,
                around,
            } => {
                let from = span_start(at);
                if from.as_slice() > start {
                    self.in_force = around;
                    self.reach(from.as_slice().min(end));
                }
                self.in_force = Some(deletion);
                self.reach(at.min(end));
                self.in_force = around;
            }
            Entry::Boundary { left, right } => {
                self.in_force = left;
                self.reach(at.min(end));
                self.in_force = right;
            }
        }
    }

    /// What is in force was so up to `end`.
    fn reach(&mut self, end: &[u8]) {
        if end <= &self.reached[..] {
            return;
        }
        let end = Bytes::copy_from_slice(end);
        let start = std::mem::replace(&mut self.reached, end.clone());
        let Some(deletion) = self.in_force else {
            return;
        };
        match self.list.last_mut() {
            Some(last) if last.end.0 == start && last.deletion == deletion => last.end = Bound(end),
            _ => self.list.push(RangeTombstone {
                start: Bound(start),
                end: Bound(end),
                deletion,
            }),
        }
    }
}

fn delete_row(rows: &mut Rows, at: &[u8], deletion: DeletionTime) {
    let clustering = Clustering(Bytes::copy_from_slice(at));
    if let Some(row) = rows.get_mut(&clustering) {
        row.deletion = Some(deletion);
        return;
    }
    let row = Row {
        deletion: Some(deletion),
        ..Row::default()
    };
    rows.insert(clustering, row);
}
