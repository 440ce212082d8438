//! Vocabulary of cells: a value, when it was written, when it ends.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// A column of a table, numbered within it; a name that is dropped and added again keeps its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ColumnId(pub u32);

/// `local_deletion_seconds` of what is neither deleted nor expiring.
pub const NO_DELETION_SECONDS: u32 = u32::MAX;

/// One version of one column of one row.
///
/// Plain: no `ttl`, no deletion time. Expiring: `ttl_seconds > 0`, `local_deletion_seconds` is the
/// expiry. Tombstone: `ttl_seconds == 0`, `local_deletion_seconds` set, value empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Write time in microseconds; decides reconciliation.
    pub timestamp: i64,
    /// Time to live as it was written; 0 for none.
    pub ttl_seconds: u32,
    /// Wall second of the deletion or expiry; [`NO_DELETION_SECONDS`] for none.
    pub local_deletion_seconds: u32,
    /// The encoded value (`Value::encode`); empty in a tombstone.
    pub value: Bytes,
}

/// The row marker that an INSERT leaves: it keeps a row visible without any live cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Liveness {
    /// Write time in microseconds.
    pub timestamp: i64,
    /// Time to live as it was written; 0 for none.
    pub ttl_seconds: u32,
    /// Wall second of expiry; [`NO_DELETION_SECONDS`] for none.
    pub local_deletion_seconds: u32,
}
