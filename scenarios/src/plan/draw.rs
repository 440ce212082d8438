//! Invariants of drawing from bytes: never fails (bytes that are missing read as zero, the first
//! choice), consumes few bytes, and draws nothing that the caller does not see.

use arbitrary::Unstructured;

/// Choices made by bytes.
#[derive(Debug)]
pub struct Draw<'a> {
    bytes: Unstructured<'a>,
}

impl<'a> Draw<'a> {
    /// Choices made by these bytes, from the first on.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Draw<'a> {
        Draw {
            bytes: Unstructured::new(bytes),
        }
    }

    /// A number from `low` to `high`, both possible.
    pub fn within(&mut self, low: u32, high: u32) -> u32 {
        assert!(low <= high, "no number is within {low}..={high}");
        self.bytes.int_in_range(low..=high).unwrap_or(low)
    }

    /// A number below `count`, which is not zero.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "below(0) has no answer");
        self.bytes.choose_index(count).unwrap_or(0)
    }

    /// One of the choices, of which there is one at least.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// One of the choices, each as likely as its weight says; the weights' sum is not zero.
    pub fn weighted<T: Clone>(&mut self, choices: &[(u32, T)]) -> T {
        let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
        assert!(total > 0, "all weights are zero");
        let mut rest = self.within(0, total - 1);
        for (weight, choice) in choices {
            if rest < *weight {
                return choice.clone();
            }
            rest -= weight;
        }
        unreachable!("the rest is below the sum of the weights")
    }

    /// Whether something happens that happens in `numerator` of `denominator` cases. Bytes that
    /// are missing say no.
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.within(0, denominator - 1) >= denominator - numerator
    }

    /// A whole word.
    pub fn word(&mut self) -> u64 {
        self.bytes.arbitrary().unwrap_or(0)
    }
}
