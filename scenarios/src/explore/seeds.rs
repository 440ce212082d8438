//! Vocabulary of seeds: which ones a sweep takes, and in which order.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::harness::Entry;

/// The seeds of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The first one.
    pub start: u64,
    /// The one after the last; none when time decides.
    pub end: Option<u64>,
    /// Wall time after which no more seeds are taken.
    pub wall_max: Option<Duration>,
    /// CPU time after which no more seeds are taken.
    pub cpu_max: Option<Duration>,
}

impl Seeds {
    /// Seeds from `start` up to and without `end`.
    #[must_use]
    pub const fn range(start: u64, end: u64) -> Seeds {
        Seeds {
            start,
            end: Some(end),
            wall_max: None,
            cpu_max: None,
        }
    }

    /// Each of the scenarios with each of the shard's seeds, seed by seed.
    pub(super) fn items<'a>(
        self,
        shard: Shard,
        scenarios: &'a [Entry],
    ) -> impl Iterator<Item = (Entry, u64)> + 'a {
        let end = self.end.unwrap_or(u64::MAX);
        let count = u64::from(shard.count);
        // How far the first seed of the shard is from the start.
        let skipped = (u64::from(shard.index - 1) + count - self.start % count) % count;
        let first = self.start.checked_add(skipped).unwrap_or(end);
        let stride = usize::try_from(shard.count).expect("addresses have 32 bits or more");
        let seeds = (first..end).step_by(stride);
        seeds.flat_map(|seed| scenarios.iter().map(move |entry| (*entry, seed)))
    }

    /// How many items there will be; none when time decides.
    #[must_use]
    pub fn items_count(self, shard: Shard, scenarios_count: usize) -> Option<u64> {
        let upto = |seed: u64| {
            // Seeds below `seed` that the shard has.
            let (index, count) = (u64::from(shard.index - 1), u64::from(shard.count));
            seed / count + u64::from(seed % count > index)
        };
        let seeds_count = upto(self.end?.max(self.start)) - upto(self.start);
        Some(seeds_count.saturating_mul(scenarios_count as u64))
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(f, "{}..{end}", self.start),
            None => write!(f, "{}..", self.start),
        }
    }
}

/// One part of several that share the seeds: those that leave `index - 1` when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

impl Shard {
    /// All seeds.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Whether a seed is this part's.
    #[must_use]
    pub fn has(self, seed: u64) -> bool {
        seed % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let shard = Shard {
                index: index.parse().ok()?,
                count: count.parse().ok()?,
            };
            (1..=shard.count).contains(&shard.index).then_some(shard)
        };
        parse().ok_or_else(|| format!("`{text}` is not a shard: expected `K/N` with 1 <= K <= N"))
    }
}
