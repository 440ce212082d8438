//! Invariants of write times: they come from epochs and never from a clock, so the order in which mutations
//! are applied, and a clock that jumps, change nothing.
//!
//! Of epoch `e`, ascending: `4e` what its changes delete, `4e + 1` the rows they write, `4e + 2` what a start
//! at that epoch deletes, `4e + 3` the rows it mends. So a table that was dropped and created again by
//! changes that are enacted together is there; what a start mends wins over all that came before it, and
//! loses to all that comes after.

use crate::limits::EPOCH_MAX;
use crate::schema::Epoch;

const TIMES_PER_EPOCH: i64 = 4;

/// The write times of one set of mutations, in place of microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    deletions: i64,
}

impl Stamp {
    /// Of what the changes up to `epoch` do that were not enacted before.
    #[must_use]
    pub fn enacted(epoch: Epoch) -> Stamp {
        Stamp {
            deletions: first_time(epoch),
        }
    }

    /// Of what a start mends that finds the schema at `epoch`.
    #[must_use]
    pub fn mended(epoch: Epoch) -> Stamp {
        Stamp {
            deletions: first_time(epoch) + 2,
        }
    }

    /// The write time of deletions.
    #[must_use]
    pub const fn deletions(self) -> i64 {
        self.deletions
    }

    /// The write time of rows: above the deletions.
    #[must_use]
    pub const fn rows(self) -> i64 {
        self.deletions + 1
    }
}

fn first_time(epoch: Epoch) -> i64 {
    assert!(epoch.0 <= EPOCH_MAX, "a node has fewer schema changes");
    TIMES_PER_EPOCH * epoch.0.cast_signed()
}
