//! Vocabulary of columns.

use serde::{Deserialize, Serialize};

use crate::keys::{ColumnType, Order, Text};
use crate::rows::ColumnId;

/// What a column is to its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Part of the partition key.
    PartitionKey,
    /// Part of the clustering, and how it sorts.
    Clustering(Order),
    /// One value a partition.
    Static,
    /// One value a row.
    Regular,
}

impl ColumnKind {
    /// Whether the column is part of the primary key.
    #[must_use]
    pub const fn is_key(self) -> bool {
        matches!(self, ColumnKind::PartitionKey | ColumnKind::Clustering(_))
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Column {
    /// Its number in the table.
    pub id: ColumnId,
    /// Its name.
    pub name: Text,
    /// Type of its values.
    pub data_type: ColumnType,
    /// What it is to the table.
    pub kind: ColumnKind,
}

/// A column that was dropped, perhaps added again since: what it held until then is dead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DroppedColumn {
    /// The column as it was.
    pub column: Column,
    /// Cells with a write time up to this, in microseconds, are dead.
    pub dropped_micros: i64,
}
