//! Invariants of a partition: range tombstones ascend, are disjoint and not empty; nothing is held
//! that a deletion of the same partition shadows.
//!
//! So equal content has equal form, and merging is commutative, associative and idempotent. Build
//! partitions by the methods here; the fields are for reading.

use super::deletion::{DeletionTime, RangeTombstone};
use super::ordered::Rows;
use super::ranges;
use super::row::Row;
use super::size;
use crate::keys::{Clustering, Slice};

/// One version of a partition; also the change that a write makes to one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The partition deletion, when there is one.
    pub deletion: Option<DeletionTime>,
    /// Static columns; empty when there are none.
    pub static_row: Row,
    /// Rows in clustering order.
    pub rows: Rows,
    /// Range tombstones in bound order.
    pub ranges: Vec<RangeTombstone>,
}

impl Partition {
    /// True when nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.deletion.is_none()
            && self.static_row.is_empty()
            && self.rows.is_empty()
            && self.ranges.is_empty()
    }

    /// The deletion in force over a row: its range's, which supersedes the partition's, or that.
    #[must_use]
    pub fn active_deletion(&self, clustering: &Clustering) -> Option<DeletionTime> {
        ranges::covering(&self.ranges, clustering).or(self.deletion)
    }

    /// Merges another version of the partition into this one; costs what `other` holds and what it
    /// shadows here. Returns by how many bytes [`size_bytes`](Self::size_bytes) grew.
    pub fn apply(&mut self, other: Partition) -> i64 {
        let mut growth = other.deletion.map_or(0, |deletion| self.delete(deletion));
        growth += self.apply_static(other.static_row);
        for range in &other.ranges {
            growth += self.delete_range(range);
        }
        for (clustering, row) in other.rows {
            growth += self.apply_row(clustering, row);
        }
        growth
    }

    /// Deletes the whole partition. Returns the growth in bytes.
    pub fn delete(&mut self, deletion: DeletionTime) -> i64 {
        if !deletion.supersedes(self.deletion) {
            return 0;
        }
        let mut growth = size::growth(
            size::deletion(self.deletion),
            size::deletion(Some(deletion)),
        );
        self.deletion = Some(deletion);
        let before = size::ranges(&self.ranges);
        self.ranges
            .retain(|range| range.deletion.supersedes(self.deletion));
        growth += size::growth(before, size::ranges(&self.ranges));
        growth += self.apply_static(Row::default());
        growth + self.shadow_rows(&Slice::ALL, deletion, |_| true)
    }

    /// Deletes all rows of a range; an empty one says nothing. Returns the growth in bytes.
    pub fn delete_range(&mut self, range: &RangeTombstone) -> i64 {
        let slice = Slice {
            start: range.start.clone(),
            end: range.end.clone(),
        };
        if slice.is_empty() || !range.deletion.supersedes(self.deletion) {
            return 0;
        }
        let growth = ranges::insert(&mut self.ranges, range);
        growth + self.shadow_rows(&slice, range.deletion, |row| range.covers(row))
    }

    /// Merges a version of one row. Returns the growth in bytes.
    pub fn apply_row(&mut self, clustering: Clustering, row: Row) -> i64 {
        let active = self.active_deletion(&clustering);
        match self.rows.get_mut(&clustering) {
            None => {
                let mut row = row;
                row.shadow(active);
                if row.is_empty() {
                    return 0;
                }
                let growth = size::growth(0, size::keyed_row(&clustering, &row));
                self.rows.insert(clustering, row);
                growth
            }
            Some(held) => {
                let before = size::keyed_row(&clustering, held);
                held.apply(row);
                held.shadow(active);
                assert!(
                    !held.is_empty(),
                    "what was held here nothing new can shadow"
                );
                size::growth(before, size::keyed_row(&clustering, held))
            }
        }
    }

    /// Merges a version of the static row, which only the partition deletion reaches. Returns the
    /// growth in bytes.
    pub fn apply_static(&mut self, row: Row) -> i64 {
        let before = size::row(&self.static_row);
        self.static_row.apply(row);
        self.static_row.shadow(self.deletion);
        size::growth(before, size::row(&self.static_row))
    }

    /// The part within a slice: ranges are clipped to it; the static row and the partition deletion
    /// belong to every slice.
    #[must_use]
    pub fn slice(&self, slice: &Slice) -> Partition {
        let rows = slice.as_range().map(|range| self.rows.range(range));
        let owned = |(clustering, row): (&Clustering, &Row)| (clustering.clone(), row.clone());
        Partition {
            deletion: self.deletion,
            static_row: self.static_row.clone(),
            rows: rows.into_iter().flatten().map(owned).collect(),
            ranges: ranges::clip(&self.ranges, slice),
        }
    }

    /// Lets go of what is not within a slice: of this is left what [`slice`](Self::slice) gives a copy of.
    pub fn narrow(&mut self, slice: &Slice) {
        self.rows.retain(|clustering, _| slice.contains(clustering));
        self.ranges = ranges::clip(&self.ranges, slice);
    }

    /// Bytes of what is held, by a fixed reckoning that no allocator changes.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        let rows = self
            .rows
            .iter()
            .map(|(clustering, row)| size::keyed_row(clustering, row));
        size::deletion(self.deletion)
            + size::row(&self.static_row)
            + size::ranges(&self.ranges)
            + rows.sum::<u64>()
    }

    /// True when the invariants hold; anything read from outside has to be asked.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        ranges::are_canonical(&self.ranges, self.deletion)
            && self.static_row.is_canonical(self.deletion)
            && self.rows.iter().all(|(clustering, row)| {
                !row.is_empty() && row.is_canonical(self.active_deletion(clustering))
            })
    }

    fn shadow_rows(
        &mut self,
        slice: &Slice,
        deletion: DeletionTime,
        is_covered: impl Fn(&Clustering) -> bool,
    ) -> i64 {
        let Some(range) = slice.as_range() else {
            return 0;
        };
        let (mut growth, mut gone) = (0, Vec::new());
        let rows = self.rows.range_mut(range);
        for (clustering, row) in rows.filter(|(clustering, _)| is_covered(clustering)) {
            let before = size::keyed_row(clustering, row);
            row.shadow(Some(deletion));
            let after = if row.is_empty() {
                0
            } else {
                size::keyed_row(clustering, row)
            };
            growth += size::growth(before, after);
            if row.is_empty() {
                gone.push(clustering.clone());
            }
        }
        for clustering in gone {
            self.rows.remove(&clustering);
        }
        growth
    }
}
