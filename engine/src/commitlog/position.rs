//! Vocabulary of log positions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in the commit log: after the record that ends there. Ordered as the records are.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Id of the segment.
    pub segment: u64,
    /// Where in it a record ends.
    pub offset: u64,
}

impl Position {
    /// Before every record.
    pub const NONE: Position = Position {
        segment: 0,
        offset: 0,
    };
    /// After every record.
    pub const MAX: Position = Position {
        segment: u64::MAX,
        offset: u64::MAX,
    };
}

impl fmt::Display for Position {
    /// `7:128`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.segment, self.offset)
    }
}
