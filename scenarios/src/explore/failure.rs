//! Invariants of failures in a sweep: one group an identity, and of each group the run that is the
//! fastest to look at: fewest events, then smallest seed.

use std::collections::{BTreeMap, BTreeSet};

use super::harness::Harness;
use super::seen::Seen;
use super::sweep::Step;
use crate::check::Identity;
use crate::plan::Plan;
use crate::shrink::{ShrinkOptions, Shrunk, shrink};

/// All seeds of a scenario that fail in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The scenario.
    pub scenario: &'static str,
    /// How they fail.
    pub identity: Identity,
    /// How many they are.
    pub seeds_count: u64,
    /// The smallest of them.
    pub seed_min: u64,
    /// The one with the fewest events.
    pub seed: u64,
    /// How many those are.
    pub events_count: u64,
}

/// A group with the plan to look at.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Who fails, and how.
    pub group: Group,
    /// The plan of the group's seed.
    pub plan: Plan,
    /// A smaller one; none when the plan did not fail again, or there was no budget to shrink it.
    pub shrunk: Option<Shrunk>,
}

#[derive(Debug, Default)]
pub(super) struct Groups(BTreeMap<Key, Group>);

/// A scenario, and a way to fail in it.
type Key = (&'static str, Identity);

impl Groups {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ways to fail.
    pub(super) fn known(&self) -> BTreeSet<Key> {
        self.0.keys().copied().collect()
    }

    /// The groups that fail in none of these ways.
    pub(super) fn beside<'a>(
        &'a self,
        known: &'a BTreeSet<Key>,
    ) -> impl Iterator<Item = &'a Group> {
        let new = self.0.iter().filter(|(key, _)| !known.contains(*key));
        new.map(|(_, group)| group)
    }

    pub(super) fn seeds_count(&self) -> u64 {
        self.0.values().map(|group| group.seeds_count).sum()
    }

    /// Adds a run's failure, when it has one.
    pub(super) fn add(&mut self, seen: &Seen) {
        let Some(identity) = seen.verdict.identity() else {
            return;
        };
        let events_count = seen.statistics.events_count;
        let group = self.0.entry((seen.scenario, identity)).or_insert(Group {
            scenario: seen.scenario,
            identity,
            seeds_count: 0,
            seed_min: seen.seed,
            seed: seen.seed,
            events_count,
        });
        group.seeds_count += 1;
        group.seed_min = group.seed_min.min(seen.seed);
        if (events_count, seen.seed) < (group.events_count, group.seed) {
            (group.events_count, group.seed) = (events_count, seen.seed);
        }
    }

    /// The failures, shrunk as far as the budget goes, in order of scenario and identity.
    pub(super) fn shrunk(
        self,
        harness: &Harness<'_>,
        bug: Option<&str>,
        options: ShrinkOptions,
        watch: &mut dyn FnMut(Step<'_>),
    ) -> Vec<Failure> {
        let groups = self.0.into_values();
        groups
            .map(|group| {
                let plan = harness.plan(group.scenario, group.seed, bug);
                let shrunk = match options.runs_max {
                    0 => None,
                    _ => shrink(harness.run, &plan, options, &mut |progress| {
                        watch(Step::Shrinks(progress));
                    })
                    .ok(),
                };
                let failure = Failure {
                    group,
                    plan,
                    shrunk,
                };
                watch(Step::Shrunk(&failure));
                failure
            })
            .collect()
    }
}
