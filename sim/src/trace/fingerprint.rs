//! Invariants of the fingerprint: it depends on each event and on their order, on nothing else; no
//! address, capacity, type size or thread ever enters.

use std::fmt;

use super::event::Kind;
use crate::entropy::{fold, mix64};

/// Events between two checkpoints.
pub const CHECKPOINT_EVENTS: u64 = 4096;

/// The running hash of a run, with a checkpoint every [`CHECKPOINT_EVENTS`] events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    state: u64,
    events_count: u64,
    checkpoints: Vec<u64>,
}

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint {
            state: 0x6365_6e6f_7461_7068,
            events_count: 0,
            checkpoints: Vec::new(),
        }
    }
}

impl Fingerprint {
    /// Takes in one event.
    #[inline]
    pub fn absorb(&mut self, kind: Kind, words: [u64; 3]) {
        let [a, b, c] = words;
        let folded = fold(
            a ^ 0x9e37_79b9_7f4a_7c15,
            b.rotate_left(17) ^ 0xd6e8_feb8_6659_fd93,
        );
        self.state = mix64(self.state ^ kind.word(), folded ^ c.rotate_left(41));
        self.events_count += 1;
        if self.events_count.is_multiple_of(CHECKPOINT_EVENTS) {
            self.checkpoints.push(self.state);
        }
    }

    /// The hash of all events so far.
    #[must_use]
    pub const fn value(&self) -> u64 {
        self.state
    }

    /// How many events entered.
    #[must_use]
    pub const fn events_count(&self) -> u64 {
        self.events_count
    }

    /// The state after each [`CHECKPOINT_EVENTS`] events.
    #[must_use]
    pub fn checkpoints(&self) -> &[u64] {
        &self.checkpoints
    }

    /// The events, as a half-open range, among which the first difference to `other` lies.
    #[must_use]
    pub fn differing_window(&self, other: &Fingerprint) -> Option<(u64, u64)> {
        if self == other {
            return None;
        }
        let same_count = self
            .checkpoints
            .iter()
            .zip(&other.checkpoints)
            .take_while(|(ours, theirs)| ours == theirs)
            .count() as u64;
        let start = same_count * CHECKPOINT_EVENTS;
        Some((start, start + CHECKPOINT_EVENTS))
    }
}

impl fmt::Display for Fingerprint {
    /// Hash and count: `3f09c2…/120394`, the hash in sixteen digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}/{}", self.state, self.events_count)
    }
}
