//! Vocabulary of rows: a marker, a deletion, and cells sorted by column.

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
