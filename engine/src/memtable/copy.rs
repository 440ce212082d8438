//! Steps from the two branches of a partition back to one: live rows in order; each row deletion to its row; ranges
//! from one change of the deletion in force to the next, joined where two with one deletion touch.

use bytes::Bytes;

use super::branch::{before, first, span_start};
use super::held::{Held, STATIC_KEY};
use super::leaf::{Entry, Reach};
use super::partitions::{Partitions, row_of};
use crate::keys::{Bound, Clustering, Slice};
use crate::rows::{DeletionTime, Partition, RangeTombstone, Row};
use crate::trie::arena::Root;

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
        let (mut from, mut path) = (slice.start.0.to_vec(), Vec::new());
        while let Some(leaf) = self.arena.first_at_or_after(live, &from, &mut path) {
            if path.as_slice() >= &slice.end.0[..] {
                return;
            }
            let row = self.rows.get(row_of(leaf).0).clone();
            let clustering = Clustering(Bytes::copy_from_slice(&path));
            partition.rows.insert(clustering, row);
            std::mem::swap(&mut from, &mut path);
            from.push(0);
        }
    }

    fn copy_stones(&self, stones: Root, slice: &Slice, partition: &mut Partition) {
        let (start, end) = (&slice.start.0[..], &slice.end.0[..]);
        let mut path = Vec::new();
        let Some(entry) = first(&self.arena, stones, start, &mut path) else {
            return;
        };
        let mut ranges = Ranges {
            list: &mut partition.ranges,
            reached: slice.start.0.clone(),
            in_force: before(entry, &path, start),
        };
        let mut next = Some(entry);
        while let Some(entry) = next {
            let at = path.as_slice();
            match entry {
                Entry::Within {
                    reach: Reach::Row,
                    deletion,
                    around,
                } => {
                    ranges.in_force = around;
                    if at < end {
                        let clustering = Clustering(Bytes::copy_from_slice(at));
                        match partition.rows.get_mut(&clustering) {
                            Some(row) => row.deletion = Some(deletion),
                            None => partition.rows.insert(
                                clustering,
                                Row {
                                    deletion: Some(deletion),
                                    ..Row::default()
                                },
                            ),
                        }
                    }
                }
                Entry::Within {
                    reach: Reach::Span,
                    deletion,
                    around,
                } => {
                    let from = span_start(at);
                    if from.as_slice() > start {
                        ranges.in_force = around;
                        ranges.reach(from.as_slice().min(end));
                    }
                    ranges.in_force = Some(deletion);
                    ranges.reach(at.min(end));
                    ranges.in_force = around;
                }
                Entry::Boundary { left, right } => {
                    ranges.in_force = left;
                    ranges.reach(at.min(end));
                    ranges.in_force = right;
                }
            }
            if at >= end {
                break;
            }
            path.push(0);
            let position = path.clone();
            next = first(&self.arena, stones, &position, &mut path);
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
