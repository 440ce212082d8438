//! Invariants of the random walk: each poll takes each ready task with the same chance, whatever
//! happened before, and each wake draws once.
//!
//! Every wake starts an alarm clock of exponential length; the first to ring runs. An exponential
//! clock has no memory, so what is left of all of them is alike at every poll, old or new.

use super::policy::{Pick, Policy, Wake};
use crate::entropy::{StreamKey, mix64};

/// Binary digits after the point of a clock's length; the mean length is one over the logarithm of 2.
const FRACTION_BITS: u32 = 24;

/// Each poll takes one of the ready tasks, all with the same chance; keyed by (task name, wake number).
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    key: StreamKey,
    /// Where the clock stood that rang last.
    now: u64,
}

impl Walk {
    /// A walk under this key.
    #[must_use]
    pub fn new(key: StreamKey) -> Walk {
        Walk { key, now: 0 }
    }
}

impl Policy for Walk {
    fn priority(&mut self, wake: Wake) -> u64 {
        let word = self.key.word(mix64(wake.task, wake.number));
        self.now.saturating_add(exponential(word))
    }

    fn pick(&mut self, pick: Pick) -> Option<u64> {
        self.now = self.now.max(pick.priority);
        None
    }
}

/// The negated binary logarithm of a uniform word, taken as a number between 0 and 1: exponentially
/// distributed. In integers, digit by digit, so that every machine gets the same.
fn exponential(word: u64) -> u64 {
    let word = word | 1;
    let leading = word.leading_zeros();
    // Between 1 and 2, with 63 digits after the point.
    let mut mantissa = word << leading;
    let mut digits = 0_u64;
    for _ in 0..FRACTION_BITS {
        let square = (u128::from(mantissa) * u128::from(mantissa)) >> 63;
        let carries = square >> 64 != 0;
        digits = (digits << 1) | u64::from(carries);
        // Below 2 again, so it fits.
        mantissa = if carries { square >> 1 } else { square } as u64;
    }
    ((u64::from(leading) + 1) << FRACTION_BITS) - digits
}
