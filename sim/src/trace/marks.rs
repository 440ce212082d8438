//! Invariants of marks: a mark is a place that some run has to reach; counting them changes no run.

use std::collections::BTreeMap;

/// Which marks were reached, and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    counts: BTreeMap<&'static str, u64>,
}

impl Marks {
    /// Counts one arrival at `mark`.
    pub fn hit(&mut self, mark: &'static str) {
        *self.counts.entry(mark).or_insert(0) += 1;
    }

    /// How often `mark` was reached.
    #[must_use]
    pub fn count(&self, mark: &str) -> u64 {
        self.counts.get(mark).copied().unwrap_or(0)
    }

    /// Every mark that was reached, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(mark, count)| (*mark, *count))
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &Marks) {
        for (mark, count) in other.iter() {
            *self.counts.entry(mark).or_insert(0) += count;
        }
    }
}
