//! Invariants of a live-only read: rows come in order, each merged from all sources and without what any of them
//! deletes; no tombstone is merged, kept or handed on.
//!
//! Live rows and deletions stay apart: the next row is the least of the sources' next live rows, and each source is
//! asked only what it deletes *there*. So the cost is that of the rows that are live in some source. Those that
//! another source deletes are passed one by one and counted, unless one deletion outlasts all that the source
//! has: then the source goes on behind it.

use bytes::Bytes;

use super::source::Source;
use crate::keys::{Clustering, Slice};
use crate::planted::{self, Plant};
use crate::rows::{DeletionTime, Row};

/// The rows of one partition within a slice, in order. Nothing can be merged with it.
#[derive(Debug)]
pub struct LiveOnly {
    heads: Vec<Head>,
    /// The strongest of the partition deletions.
    deletion: Option<DeletionTime>,
    /// The position at which the read ends, in its order.
    end: Bytes,
    reversed: bool,
    shadowed_count: u64,
}

/// A source, and its next row.
#[derive(Debug)]
struct Head {
    source: Source,
    next: Option<(Clustering, Row)>,
    /// From where the next row is still to be found.
    from: Option<Bytes>,
}

impl LiveOnly {
    pub(super) fn new(mut sources: Vec<Source>, slice: &Slice, reversed: bool) -> LiveOnly {
        for source in &mut sources {
            source.narrow(slice);
        }
        let deletion = sources.iter().filter_map(Source::deletion).max();
        let (start, end) = (slice.start.0.clone(), slice.end.0.clone());
        let (from, end) = if reversed { (end, start) } else { (start, end) };
        let is_empty = slice.is_empty();
        let head = |source: Source| {
            // What a partition deletion outlasts as a whole has nothing live.
            let is_dead = |deletion: DeletionTime| deletion.deletes(source.timestamp_max());
            let has_rows = !is_empty && !deletion.is_some_and(is_dead);
            Head {
                source,
                next: None,
                from: has_rows.then(|| from.clone()),
            }
        };
        LiveOnly {
            heads: sources.into_iter().map(head).collect(),
            deletion,
            end,
            reversed,
            shadowed_count: 0,
        }
    }

    /// Rows that some source has and another deletes, as far as they were passed.
    #[must_use]
    pub const fn shadowed_count(&self) -> u64 {
        self.shadowed_count
    }

    /// At most so many tombstones the sources have.
    #[must_use]
    pub fn stones_present(&self) -> u64 {
        let counts = self.heads.iter().map(|head| head.source.stone_count());
        counts.sum()
    }

    /// The static row, over which only the partition deletions reach.
    #[must_use]
    pub fn static_row(&self) -> Row {
        let mut row = Row::default();
        for head in &self.heads {
            row.apply(head.source.static_row());
        }
        row.shadow(self.deletion);
        row
    }

    /// Finds the next row of every source that lacks one.
    fn fill(&mut self) {
        for head in &mut self.heads {
            let Some(from) = head.from.take() else {
                continue;
            };
            let next = head.source.next_row(&from, self.reversed);
            let (end, reversed) = (&self.end[..], self.reversed);
            head.next = next.filter(|(row, _)| {
                let row = &row.0[..];
                if reversed { row > end } else { row < end }
            });
        }
    }

    /// The source whose next row comes first.
    fn first(&self) -> Option<usize> {
        let mut first: Option<(usize, &Clustering)> = None;
        for (index, head) in self.heads.iter().enumerate() {
            if let Some((row, _)) = &head.next
                && first.is_none_or(|(_, least)| (row < least) != self.reversed && row != least)
            {
                first = Some((index, row));
            }
        }
        first.map(|(index, _)| index)
    }

    /// Takes a row out of all sources that have it, merged. Every source before `first` has none.
    fn take(&mut self, first: usize) -> (Clustering, Row, Taken) {
        let (clustering, mut row) = self.heads[first]
            .next
            .take()
            .expect("the source that comes first has a row");
        let after = after(&clustering, self.reversed);
        self.heads[first].from = Some(after.clone());
        let mut taken = Taken {
            first,
            had_live: has_live(&row),
            is_only: true,
        };
        for head in &mut self.heads[first + 1..] {
            if let Some((_, other)) = head.next.take_if(|(other, _)| *other == clustering) {
                taken.had_live |= has_live(&other);
                taken.is_only = false;
                row.apply(other);
                head.from = Some(after.clone());
            }
        }
        (clustering, row, taken)
    }

    /// The strongest deletion over a row, of all sources that can have one that the row does not heed yet.
    fn in_force(&self, row: &Clustering, taken: &Taken) -> Option<DeletionTime> {
        let mut strongest = self.deletion;
        if self.reversed && planted::on(Plant::P08) {
            return strongest;
        }
        for (index, head) in self.heads.iter().enumerate() {
            // What a source has is not under its own deletions.
            if !(taken.is_only && taken.first == index) {
                strongest = strongest.max(head.source.in_force(row));
            }
        }
        strongest
    }

    /// Lets sources whose row was deleted go on behind a range that deletes all they have.
    fn skip(&mut self, row: &Clustering) {
        for index in 0..self.heads.len() {
            if self.heads[index].from.is_none() {
                continue;
            }
            let timestamp_max = self.heads[index].source.timestamp_max();
            let others = self.heads.iter().enumerate();
            let over = others
                .filter(|(other, _)| *other != index)
                .filter_map(|(_, head)| head.source.range_over(row, self.reversed))
                .filter(|(deletion, _)| deletion.deletes(timestamp_max))
                .map(|(_, position)| position);
            let behind = if self.reversed {
                over.min()
            } else {
                over.max()
            };
            let from = &mut self.heads[index].from;
            *from = if self.reversed {
                behind.into_iter().chain(from.take()).min()
            } else {
                behind.into_iter().chain(from.take()).max()
            };
        }
    }
}

/// What a row was taken from.
struct Taken {
    first: usize,
    /// Whether some source showed it as live.
    had_live: bool,
    /// Whether no other source had it.
    is_only: bool,
}

fn has_live(row: &Row) -> bool {
    row.liveness.is_some() || !row.cells.is_empty()
}

impl Iterator for LiveOnly {
    type Item = (Clustering, Row);

    fn next(&mut self) -> Option<(Clustering, Row)> {
        loop {
            self.fill();
            let first = self.first()?;
            let (clustering, mut row, taken) = self.take(first);
            row.shadow(self.in_force(&clustering, &taken));
            row.deletion = None;
            if !row.is_empty() {
                return Some((clustering, row));
            }
            if taken.had_live {
                self.shadowed_count += 1;
                self.skip(&clustering);
            }
        }
    }
}

/// The position next to a row in the order of a read.
fn after(row: &Clustering, reversed: bool) -> Bytes {
    if reversed {
        return row.0.clone();
    }
    row.after().0
}
