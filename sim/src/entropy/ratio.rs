//! Vocabulary of probability: two integers, never a float.

use std::fmt;

/// A probability `numerator / denominator`.
///
/// `0/1` never happens and draws as much as any other ratio, so that switching a fault off
/// re-deals nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio {
    numerator: u32,
    denominator: u32,
}

impl Ratio {
    /// Never.
    pub const NEVER: Ratio = Ratio {
        numerator: 0,
        denominator: 1,
    };

    /// Always.
    pub const ALWAYS: Ratio = Ratio {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator / denominator`; none when the denominator is zero or the ratio exceeds one.
    #[must_use]
    pub const fn new(numerator: u32, denominator: u32) -> Option<Ratio> {
        if denominator == 0 || numerator > denominator {
            return None;
        }
        Some(Ratio {
            numerator,
            denominator,
        })
    }

    /// The numerator.
    #[must_use]
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// The denominator, never zero.
    #[must_use]
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// Whether this ratio's event happens, given a uniform 32-bit word.
    #[must_use]
    #[inline]
    pub const fn strikes(self, word: u32) -> bool {
        // word/2^32 < n/d, in integers that cannot overflow.
        (word as u64) * (self.denominator as u64) < ((self.numerator as u64) << 32)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}
