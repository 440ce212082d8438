//! Invariants of log positions: a record is named by its segment and its end offset; intervals are `(lower, upper]`.

use serde::{Deserialize, Serialize};

/// Where a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The segment's id. First in the order.
    pub segment: u64,
    /// The offset after the record's last byte.
    pub offset: u64,
}

/// A part of the log: records that end above `lower`, up to `upper` inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// Last position before it.
    pub lower: Position,
    /// Last position within it.
    pub upper: Position,
}
