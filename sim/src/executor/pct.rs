//! Steps of probabilistic concurrency testing: give each task a random priority, always run the first;
//! at a few random polls the one that would run is put behind all that never were, for good.
//!
//! An error that needs `d` ordered events shows with a chance of at least `1 / (n * k^(d - 1))`, where
//! `n` tasks make `k` polls and `d - 1` is the number of changes (Burckhardt and others, 2010).

use std::collections::BTreeMap;

use super::policy::{Pick, Policy, Wake};
use crate::entropy::{StreamKey, scale};

/// Priorities of this half belong to tasks that were put behind.
const BEHIND: u64 = 1 << 63;

/// Strict random priorities of tasks, by name, with a few changes.
#[derive(Clone, Debug)]
pub struct Pct {
    key: StreamKey,
    /// The polls before which a change waits, with the ranks it gives.
    changes: BTreeMap<u64, Vec<u64>>,
    /// Ranks of the tasks that were put behind.
    behind: BTreeMap<u64, u64>,
}

impl Pct {
    /// Priorities and changes under this key: `changes_count` changes, each before a poll that is drawn
    /// uniformly from the first `polls_estimate`.
    #[must_use]
    pub fn new(key: StreamKey, changes_count: u32, polls_estimate: u64) -> Pct {
        let points = key.child("changes");
        let mut changes: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for rank in 0..u64::from(changes_count) {
            // Keyed by its rank: a change more moves no other.
            let poll = scale(points.word(rank) >> 32, polls_estimate.max(1));
            changes.entry(poll).or_default().push(rank);
        }
        Pct {
            key: key.child("tasks"),
            changes,
            behind: BTreeMap::new(),
        }
    }
}

impl Policy for Pct {
    fn priority(&mut self, wake: Wake) -> u64 {
        match self.behind.get(&wake.task) {
            Some(rank) => BEHIND | rank,
            None => self.key.word(wake.task) & !BEHIND,
        }
    }

    fn pick(&mut self, pick: Pick) -> Option<u64> {
        let (point, _) = self.changes.first_key_value()?;
        if *point > pick.number {
            return None;
        }
        let mut due = self.changes.first_entry()?;
        let rank = due.get_mut().pop();
        if due.get().is_empty() {
            due.remove();
        }
        let rank = rank.expect("a change that waits has a rank");
        self.behind.insert(pick.task, rank);
        Some(BEHIND | rank)
    }
}
