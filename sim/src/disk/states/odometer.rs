//! Steps: run once with each list of choices, the last choice changing first, within a bound on deviations.

use crate::disk::choices::{Base, Choice, Choices};

/// How far states are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bounds {
    /// How many registers may be dropped from the newest state, and how many kept beyond the oldest
    /// one; any number when absent. Where metadata is one history, its end is no deviation, and
    /// neither is how far the write at that end got.
    pub deviations_max: Option<u32>,
}

impl Bounds {
    /// Every state.
    pub const NONE: Bounds = Bounds {
        deviations_max: None,
    };

    /// States in which at most so many registers are dropped or kept.
    #[must_use]
    pub const fn deviations(deviations_max: u32) -> Bounds {
        Bounds {
            deviations_max: Some(deviations_max),
        }
    }

    /// The states that deviations are counted from. Without a bound, one reaches all.
    pub(super) fn bases(self) -> &'static [Base] {
        match self.deviations_max {
            None => &[Base::Newest],
            Some(_) => &[Base::Newest, Base::Oldest],
        }
    }

    pub(super) fn deviations_left(self, made: u32) -> u32 {
        self.deviations_max.unwrap_or(u32::MAX).saturating_sub(made)
    }
}

/// Lists of choices, one after the other.
#[derive(Debug)]
pub(super) struct Odometer {
    base: Base,
    bounds: Bounds,
    /// The choices to repeat; none once all lists were given.
    repeated: Option<Vec<Choice>>,
}

impl Odometer {
    pub(super) fn new(base: Base, bounds: Bounds) -> Odometer {
        Odometer {
            base,
            bounds,
            repeated: Some(Vec::new()),
        }
    }

    /// The choices of the next run.
    pub(super) fn next(&mut self) -> Option<Choices> {
        let repeated = self.repeated.as_ref()?;
        let answers = repeated.iter().map(|choice| choice.answer).collect();
        Some(Choices::listed(answers, self.base))
    }

    /// Learns what the run chose.
    pub(super) fn learn(&mut self, made: Vec<Choice>) {
        let repeated = self.repeated.take().unwrap_or_default();
        let same = made.iter().zip(&repeated).all(|(now, then)| now == then);
        assert!(
            made.len() >= repeated.len() && same,
            "the same choices lead to the same questions"
        );
        self.repeated = self.advance(made);
    }

    fn advance(&self, mut made: Vec<Choice>) -> Option<Vec<Choice>> {
        while let Some(last) = made.pop() {
            let used = made.iter().filter(|choice| choice.deviates(self.base));
            let left = self.bounds.deviations_left(used.count() as u32);
            if let Some(next) = last.next(self.base)
                && (left > 0 || !next.deviates(self.base))
            {
                made.push(next);
                return Some(made);
            }
        }
        None
    }
}
