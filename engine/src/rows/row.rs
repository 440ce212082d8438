//! Invariants of a row: cells strictly ascend by column; nothing is held that the row's own deletion,
//! or one that reaches over the row, shadows.
//!
//! Every merge of two versions goes through `apply` and `shadow`, wherever the versions were kept.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::cell::{Cell, ColumnId, Liveness};
use super::deletion::DeletionTime;

/// One version of a row. `Default` is the row of which nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Row {
    /// The row marker, when an INSERT left one.
    pub liveness: Option<Liveness>,
    /// The row deletion, when there is one.
    pub deletion: Option<DeletionTime>,
    /// Cells, strictly ascending by column.
    pub cells: Vec<(ColumnId, Cell)>,
}

impl Row {
    /// True when nothing is known: such a row is not kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.liveness.is_none() && self.deletion.is_none() && self.cells.is_empty()
    }

    /// True when a reader at the wall second `now_seconds` sees the row, if only with nulls.
    #[must_use]
    pub fn is_visible(&self, now_seconds: u32) -> bool {
        self.liveness
            .is_some_and(|marker| marker.is_live(now_seconds))
            || self.cells.iter().any(|(_, cell)| cell.is_live(now_seconds))
    }

    /// The cell of a column, dead or alive.
    #[must_use]
    pub fn cell(&self, column: ColumnId) -> Option<&Cell> {
        let index = self
            .cells
            .binary_search_by_key(&column, |(id, _)| *id)
            .ok()?;
        Some(&self.cells[index].1)
    }

    /// Adds one version of a column.
    pub fn put(&mut self, column: ColumnId, cell: Cell) {
        self.apply(Row {
            cells: vec![(column, cell)],
            ..Row::default()
        });
    }

    /// Merges another version of the row into this one.
    pub fn apply(&mut self, other: Row) {
        self.deletion = self.deletion.max(other.deletion);
        self.liveness = match (self.liveness, other.liveness) {
            (Some(mine), Some(theirs)) if mine.precedence(&theirs) == Ordering::Less => {
                Some(theirs)
            }
            (mine, theirs) => mine.or(theirs),
        };
        if self.cells.is_empty() {
            self.cells = other.cells;
        } else if !other.cells.is_empty() {
            let mine = std::mem::take(&mut self.cells);
            self.cells = merge_cells(mine, other.cells);
        }
        self.shadow(None);
    }

    /// Drops all that `active` shadows, the deletion in force over the whole row, and all that the
    /// row's own deletion shadows; the row's own deletion too, unless it supersedes `active`.
    pub fn shadow(&mut self, active: Option<DeletionTime>) {
        self.deletion = self.deletion.filter(|own| own.supersedes(active));
        let Some(active) = self.deletion.max(active) else {
            return;
        };
        self.liveness = self
            .liveness
            .filter(|marker| !active.deletes(marker.timestamp));
        self.cells
            .retain(|(_, cell)| !active.deletes(cell.timestamp));
    }

    /// True when [`shadow`](Self::shadow) would change nothing and the cells ascend.
    pub(super) fn is_canonical(&self, active: Option<DeletionTime>) -> bool {
        let own = self.deletion.is_none_or(|own| own.supersedes(active));
        let lives = |timestamp| {
            self.deletion
                .max(active)
                .is_none_or(|a| !a.deletes(timestamp))
        };
        own && self.liveness.is_none_or(|marker| lives(marker.timestamp))
            && self.cells.iter().all(|(_, cell)| lives(cell.timestamp))
            && self.cells.is_sorted_by(|(a, _), (b, _)| a < b)
    }
}

/// Merges two ascending lists of cells; of two versions of a column one wins.
fn merge_cells(left: Vec<(ColumnId, Cell)>, right: Vec<(ColumnId, Cell)>) -> Vec<(ColumnId, Cell)> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return merged,
        };
        match order {
            Ordering::Less => merged.extend(left.next()),
            Ordering::Greater => merged.extend(right.next()),
            Ordering::Equal => {
                let wins = |pair: &((ColumnId, Cell), (ColumnId, Cell))| {
                    pair.0.1.precedence(&pair.1.1) != Ordering::Less
                };
                let pair = left.next().zip(right.next());
                merged.extend(pair.map(|pair| if wins(&pair) { pair.0 } else { pair.1 }));
            }
        }
    }
}
