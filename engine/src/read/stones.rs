//! Vocabulary of stored deletions as a client may see them: merged over all sources, nothing purged.

use serde::{Deserialize, Serialize};

use crate::keys::Value;

/// One deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stone {
    /// Write time in microseconds: data up to it is dead.
    pub timestamp: i64,
    /// The wall second of the deletion, from which `gc_grace_seconds` count; of an expiring cell, when
    /// it expires.
    pub local_deletion_seconds: u32,
}

/// One side of a range tombstone, in clustering order: before or after all rows that begin with the
/// values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StoneBound {
    /// The first clustering values; none for the partition's end on this side.
    pub values: Vec<Value>,
    /// Whether the bound stands after the rows that begin with the values, not before them.
    pub is_after: bool,
}

/// A range tombstone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RangeStone {
    /// Where it begins, in clustering order.
    pub start: StoneBound,
    /// Where it ends.
    pub end: StoneBound,
    /// The deletion.
    pub stone: Stone,
}

/// The deletions of one row, or of the static row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowStones {
    /// Clustering values; empty for the static row.
    pub clustering: Vec<Value>,
    /// The row deletion.
    pub row: Option<Stone>,
    /// Cell tombstones by column name, ascending by column.
    pub cells: Vec<(String, Stone)>,
}

/// All deletions of a partition, in the canonical form in which the engine merges them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stones {
    /// The partition deletion.
    pub partition: Option<Stone>,
    /// Of static cells.
    pub statics: RowStones,
    /// Range tombstones, ascending.
    pub ranges: Vec<RangeStone>,
    /// Of rows that have any, in clustering order.
    pub rows: Vec<RowStones>,
}
