//! Invariants of a memtable's slot: once sealed it holds exactly the commit-log interval `(lower, upper]` of
//! its table, as soon as nobody holds a ticket any more.
//!
//! A write takes its log position and a ticket in one step without an await; a switch reads the log position
//! and swaps slots in one step without an await. So every position up to the seal has its ticket here,
//! and every later one elsewhere.

use std::cell::Cell;
use std::rc::Rc;

use crate::commitlog::{Interval, Position};
use crate::memtable::Memtable;
use crate::rows::TableId;

/// A memtable with its place in the commit log.
#[derive(Debug)]
pub struct Slot {
    memtable: Rc<Memtable>,
    lower: Position,
    upper: Cell<Option<Position>>,
    is_claimed: Cell<bool>,
}

impl Slot {
    /// An empty memtable for the log from `lower` on, exclusive.
    pub(super) fn new(table: TableId, lower: Position) -> Rc<Slot> {
        Rc::new(Slot {
            memtable: Memtable::new(table),
            lower,
            upper: Cell::new(None),
            is_claimed: Cell::new(false),
        })
    }

    /// The memtable.
    #[must_use]
    pub fn memtable(&self) -> &Rc<Memtable> {
        &self.memtable
    }

    /// Ends the log interval: writes beyond `upper` go elsewhere.
    pub(super) fn seal(&self, upper: Position) {
        assert!(self.upper.get().is_none(), "a memtable is sealed once");
        assert!(self.lower <= upper, "the log does not go back");
        self.upper.set(Some(upper));
    }

    /// The part of the log that it holds; none before it is sealed.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let lower = self.lower;
        self.upper.get().map(|upper| Interval { lower, upper })
    }

    /// Whether a flush writes it now.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        self.is_claimed.get()
    }

    pub(super) fn set_claimed(&self, is_claimed: bool) {
        assert!(
            self.is_claimed.replace(is_claimed) != is_claimed,
            "a memtable is written by one flush at a time"
        );
    }
}
