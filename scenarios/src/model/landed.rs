//! Vocabulary of landed operations: what was done, and at which second the node did it.

use std::ops::RangeInclusive;

use super::slot::Slot;
use crate::plan::Operation;

/// A part of a write that a time to live ended, and a compaction then made into something that no
/// clock undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decay<'a> {
    /// The value in this cell: a tombstone stands for it.
    Cell(Slot<'a>),
    /// The row marker: it is not live, and hides what it hid.
    Marker,
}

/// An operation that landed. Seconds count where a time to live ends or a grace begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed<'a> {
    /// What was done.
    pub what: &'a Operation,
    /// The node did it not before this wall second.
    pub first_second: u32,
    /// And not after this one. Of a write with a time to live it is the same.
    pub last_second: u32,
    /// Only what is left of a part of the write when it has decayed.
    pub decay: Option<Decay<'a>>,
}

impl<'a> Landed<'a> {
    /// An operation that the node did at this wall second.
    #[must_use]
    pub const fn at(what: &'a Operation, second: u32) -> Landed<'a> {
        Landed {
            what,
            first_second: second,
            last_second: second,
            decay: None,
        }
    }

    /// An operation that the node did in one of these wall seconds.
    #[must_use]
    pub fn within(what: &'a Operation, seconds: &RangeInclusive<u32>) -> Landed<'a> {
        Landed {
            last_second: *seconds.end(),
            ..Landed::at(what, *seconds.start())
        }
    }

    /// When the write's time to live ends, and how long it is; none when it has none.
    pub(super) fn expiry(&self) -> Option<(u32, u32)> {
        let ttl_seconds = ttl_of(self.what)?;
        Some((self.last_second.saturating_add(ttl_seconds), ttl_seconds))
    }
}

/// The time to live of a write; 0 is none.
pub(super) fn ttl_of(what: &Operation) -> Option<u32> {
    match what {
        Operation::Insert { ttl_seconds, .. } | Operation::Update { ttl_seconds, .. } => {
            ttl_seconds.filter(|ttl_seconds| *ttl_seconds > 0)
        }
        _ => None,
    }
}
