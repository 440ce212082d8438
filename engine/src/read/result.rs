//! Vocabulary of what a read found.

use super::counts::ReadCounts;
use crate::keys::Value;
use crate::rows::ColumnId;

/// A visible row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// Its clustering values.
    pub clustering: Vec<Value>,
    /// The regular columns asked for, in the order asked for; `None` is null.
    pub columns: Vec<(ColumnId, Option<Value>)>,
}

/// What a read found in its partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadResult {
    /// The static columns asked for; `None` when the partition shows nothing at all. With `rows` empty
    /// they are the partition's only row, whose clustering is null.
    pub statics: Option<Vec<(ColumnId, Option<Value>)>>,
    /// Visible rows in the order of the read.
    pub rows: Vec<ResultRow>,
    /// What was met on the way.
    pub counts: ReadCounts,
}
