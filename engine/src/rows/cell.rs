//! Invariants of cells: of two versions of one column the same one wins, in whatever order they meet.
//!
//! In order: the later timestamp; tombstone over expiring over plain; the later deletion or expiry; the
//! larger value, bytewise; the smaller ttl. The clock has no part in it: an expired cell still wins.

use std::cmp::{Ordering, Reverse};

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

/// What a cell is, in rising order of what wins at equal timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CellKind {
    Plain,
    Expiring,
    Tombstone,
}

impl Cell {
    /// A value that stays.
    #[must_use]
    pub const fn plain(timestamp: i64, value: Bytes) -> Cell {
        Cell {
            timestamp,
            ttl_seconds: 0,
            local_deletion_seconds: NO_DELETION_SECONDS,
            value,
        }
    }

    /// A value that is dead from the wall second `expiry_seconds` on; `ttl_seconds` is above 0.
    #[must_use]
    pub fn expiring(timestamp: i64, ttl_seconds: u32, expiry_seconds: u32, value: Bytes) -> Cell {
        assert!(ttl_seconds > 0, "an expiring cell has a time to live");
        assert!(
            expiry_seconds < NO_DELETION_SECONDS,
            "an expiring cell has an expiry"
        );
        Cell {
            timestamp,
            ttl_seconds,
            local_deletion_seconds: expiry_seconds,
            value,
        }
    }

    /// The deletion of a value, at the wall second `local_deletion_seconds`.
    #[must_use]
    pub fn tombstone(timestamp: i64, local_deletion_seconds: u32) -> Cell {
        assert!(
            local_deletion_seconds < NO_DELETION_SECONDS,
            "a tombstone has a deletion time"
        );
        Cell {
            timestamp,
            ttl_seconds: 0,
            local_deletion_seconds,
            value: Bytes::new(),
        }
    }

    /// True when a reader at the wall second `now_seconds` sees the value.
    #[must_use]
    pub const fn is_live(&self, now_seconds: u32) -> bool {
        is_live(self.ttl_seconds, self.local_deletion_seconds, now_seconds)
    }

    /// True when this is the deletion of a value, not a value that may have expired.
    #[must_use]
    pub fn is_tombstone(&self) -> bool {
        self.kind() == CellKind::Tombstone
    }

    /// Which of two versions of one column wins; `Equal` only when they are equal.
    #[must_use]
    pub fn precedence(&self, other: &Cell) -> Ordering {
        let rank = |cell: &Cell| (cell.timestamp, cell.kind(), cell.local_deletion_seconds);
        rank(self)
            .cmp(&rank(other))
            .then_with(|| self.value.cmp(&other.value))
            // Of two with one expiry, the smaller ttl was written later, so it is purged later.
            .then_with(|| other.ttl_seconds.cmp(&self.ttl_seconds))
    }

    fn kind(&self) -> CellKind {
        match (self.ttl_seconds, self.local_deletion_seconds) {
            (0, NO_DELETION_SECONDS) => CellKind::Plain,
            (0, _) => CellKind::Tombstone,
            _ => CellKind::Expiring,
        }
    }
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

impl Liveness {
    /// A marker that stays.
    #[must_use]
    pub const fn plain(timestamp: i64) -> Liveness {
        Liveness {
            timestamp,
            ttl_seconds: 0,
            local_deletion_seconds: NO_DELETION_SECONDS,
        }
    }

    /// A marker that is dead from the wall second `expiry_seconds` on; `ttl_seconds` is above 0.
    #[must_use]
    pub fn expiring(timestamp: i64, ttl_seconds: u32, expiry_seconds: u32) -> Liveness {
        assert!(ttl_seconds > 0, "an expiring marker has a time to live");
        assert!(
            expiry_seconds < NO_DELETION_SECONDS,
            "an expiring marker has an expiry"
        );
        Liveness {
            timestamp,
            ttl_seconds,
            local_deletion_seconds: expiry_seconds,
        }
    }

    /// True when it keeps the row visible at the wall second `now_seconds`.
    #[must_use]
    pub const fn is_live(&self, now_seconds: u32) -> bool {
        is_live(self.ttl_seconds, self.local_deletion_seconds, now_seconds)
    }

    /// Which of two markers of one row wins; `Equal` only when they are equal.
    #[must_use]
    pub fn precedence(&self, other: &Liveness) -> Ordering {
        let rank = |marker: &Liveness| {
            let Liveness {
                timestamp,
                ttl_seconds,
                local_deletion_seconds,
            } = *marker;
            (
                timestamp,
                ttl_seconds > 0,
                local_deletion_seconds,
                Reverse(ttl_seconds),
            )
        };
        rank(self).cmp(&rank(other))
    }
}

const fn is_live(ttl_seconds: u32, local_deletion_seconds: u32, now_seconds: u32) -> bool {
    local_deletion_seconds == NO_DELETION_SECONDS
        || ttl_seconds > 0 && now_seconds < local_deletion_seconds
}
