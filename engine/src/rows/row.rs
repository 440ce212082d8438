//! Invariants of a row: cells strictly ascend by column and path, complex deletions by column; nothing is
//! held that a deletion around it shadows, be it of its column, of the row, or one that reaches over it.
//!
//! Every merge of two versions goes through `apply` and `shadow`, wherever the versions were kept.

use std::cmp::Ordering;

use super::cell::{Cell, ColumnId, Liveness};
use super::deletion::DeletionTime;
use super::merge;
use super::path::CellKey;
use super::size;

/// One version of a row. `Default` is the row of which nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    /// The row marker, when an INSERT left one.
    pub liveness: Option<Liveness>,
    /// The row deletion, when there is one.
    pub deletion: Option<DeletionTime>,
    /// Complex deletions: each of all elements that a multi-cell column had. Strictly ascending by column.
    pub complex: Vec<(ColumnId, DeletionTime)>,
    /// Cells, strictly ascending by column, then path.
    pub cells: Vec<(CellKey, Cell)>,
}

impl Row {
    /// True when nothing is known: such a row is not kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.liveness.is_none()
            && self.deletion.is_none()
            && self.complex.is_empty()
            && self.cells.is_empty()
    }

    /// True when more is known than a deletion of the row.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.liveness.is_some() || !self.complex.is_empty() || !self.cells.is_empty()
    }

    /// True when a reader at the wall second `now_seconds` sees the row, if only with nulls.
    #[must_use]
    pub fn is_visible(&self, now_seconds: u32) -> bool {
        self.liveness
            .is_some_and(|marker| marker.is_live(now_seconds))
            || self.cells.iter().any(|(_, cell)| cell.is_live(now_seconds))
    }

    /// The cell of a column that has one, dead or alive.
    #[must_use]
    pub fn cell(&self, column: ColumnId) -> Option<&Cell> {
        let index = self
            .cells
            .binary_search_by(|(key, _)| (key.column, &key.path).cmp(&(column, &None)))
            .ok()?;
        Some(&self.cells[index].1)
    }

    /// The cells of a column in path order, dead or alive.
    #[must_use]
    pub fn elements(&self, column: ColumnId) -> &[(CellKey, Cell)] {
        let from = self.cells.partition_point(|(key, _)| key.column < column);
        let rest = &self.cells[from..];
        &rest[..rest.partition_point(|(key, _)| key.column == column)]
    }

    /// The complex deletion of a column.
    #[must_use]
    pub fn complex_deletion(&self, column: ColumnId) -> Option<DeletionTime> {
        merge::complex_of(&self.complex, column)
    }

    /// Adds one version of a cell.
    pub fn put(&mut self, key: impl Into<CellKey>, cell: Cell) {
        self.apply(Row {
            cells: vec![(key.into(), cell)],
            ..Row::default()
        });
    }

    /// Deletes all elements of a multi-cell column.
    pub fn delete_elements(&mut self, column: ColumnId, deletion: DeletionTime) {
        self.apply(Row {
            complex: vec![(column, deletion)],
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
        merge::complex(&mut self.complex, other.complex);
        merge::cells(&mut self.cells, other.cells);
        self.shadow(None);
    }

    /// Drops all that `active` shadows, the deletion in force over the whole row, all that the row's own
    /// deletion shadows, and all elements that the deletion of their column shadows; a deletion within
    /// too, unless it supersedes the one around it.
    pub fn shadow(&mut self, active: Option<DeletionTime>) {
        self.deletion = self.deletion.filter(|own| own.supersedes(active));
        let active = self.deletion.max(active);
        if let Some(active) = active {
            self.liveness = self
                .liveness
                .filter(|marker| !active.deletes(marker.timestamp));
            self.complex
                .retain(|(_, deletion)| deletion.supersedes(Some(active)));
            self.cells
                .retain(|(_, cell)| !active.deletes(cell.timestamp));
        }
        // What is left supersedes `active`, so it alone decides in its column.
        if !self.complex.is_empty() {
            let complex = &self.complex;
            self.cells.retain(|(key, cell)| {
                !merge::complex_of(complex, key.column)
                    .is_some_and(|deletion| deletion.deletes(cell.timestamp))
            });
        }
    }

    /// Bytes of what is held, by a fixed reckoning that no allocator changes.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        size::row(self)
    }

    /// True when [`shadow`](Self::shadow) would change nothing and all ascends.
    pub(super) fn is_canonical(&self, active: Option<DeletionTime>) -> bool {
        let own = self.deletion.is_none_or(|own| own.supersedes(active));
        let active = self.deletion.max(active);
        let lives = |timestamp, deletion: Option<DeletionTime>| {
            deletion.is_none_or(|deletion| !deletion.deletes(timestamp))
        };
        let cell_lives = |(key, cell): &(CellKey, Cell)| {
            let in_force = if self.complex.is_empty() {
                active
            } else {
                self.complex_deletion(key.column).max(active)
            };
            lives(cell.timestamp, in_force)
        };
        own && self
            .liveness
            .is_none_or(|marker| lives(marker.timestamp, active))
            && self.complex.iter().all(|(_, c)| c.supersedes(active))
            && self.complex.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.cells.iter().all(cell_lives)
            && self.cells.is_sorted_by(|(a, _), (b, _)| a < b)
    }
}
