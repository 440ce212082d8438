//! Vocabulary of a sweep's sums. All but the cost hang on the seeds alone.

use std::collections::BTreeMap;
use std::time::Duration;

use cenotaph_sim::entropy::mix64;
use cenotaph_sim::trace::Marks;

use super::faults::FaultCount;
use super::operations::OperationCount;
use super::seen::Seen;

/// Sums over the runs of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Seeds, each with one scenario.
    pub seeds_count: u64,
    /// Runs that were judged: two a seed.
    pub runs_count: u64,
    /// Operations of all runs.
    pub operations_count: u64,
    /// Answers that judges looked at, of all runs.
    pub answers_count: u64,
    /// Events of all runs.
    pub events_count: u64,
    /// Crashes of all runs, by whatever cause.
    pub crashes_count: u64,
    /// Deletions that compactions of all runs forgot.
    pub stones_purged_count: u64,
    /// Polls of all runs.
    pub polls_count: u64,
    /// Sum over the polls of how many tasks were ready.
    pub ready_sum: u64,
    /// Virtual time of all runs.
    pub simulated: Duration,
    /// Runs that another process repeated.
    pub processes_count: u64,
    /// The fingerprints of all seeds in their order, as one word: two builds that run the same seeds
    /// agree in it, or one of their runs differs.
    pub fingerprint: u64,
    /// Faults of the seeds, by kind.
    pub faults: BTreeMap<&'static str, FaultCount>,
    /// Operations of the seeds, by kind.
    pub operations: BTreeMap<&'static str, OperationCount>,
    /// Marks that the seeds reached.
    pub marks: Marks,
}

/// What a sweep took. It differs from one time to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// On the wall.
    pub wall: Duration,
    /// On the cores.
    pub cpu: Duration,
}

/// A panic of the harness itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The scenario.
    pub scenario: &'static str,
    /// The seed.
    pub seed: u64,
    /// What the panic said.
    pub message: String,
}

impl Tally {
    /// Adds a seed by its first run.
    pub(super) fn add_seed(&mut self, seen: &Seen) {
        self.seeds_count += 1;
        let events_count = seen.fingerprint.events_count();
        self.fingerprint = mix64(self.fingerprint, seen.fingerprint.value() ^ events_count);
        self.marks.merge(&seen.marks);
        for (kind, count) in &seen.faults {
            let sum = self.faults.entry(kind).or_default();
            sum.planned_count += count.planned_count;
            sum.struck_count += count.struck_count;
        }
        for (kind, count) in &seen.operations {
            let sum = self.operations.entry(kind).or_default();
            sum.planned_count += count.planned_count;
            sum.done_count += count.done_count;
        }
        self.add_run(seen);
    }

    /// Adds a run.
    pub(super) fn add_run(&mut self, seen: &Seen) {
        let statistics = &seen.statistics;
        self.runs_count += 1;
        self.operations_count += statistics.operations_count;
        self.answers_count += seen.verdict.answers_count as u64;
        self.events_count += statistics.events_count;
        self.crashes_count += statistics.crashes_count;
        self.stones_purged_count += statistics.stones_purged_count;
        self.polls_count += statistics.polls_count;
        self.ready_sum += statistics.ready_sum;
        self.simulated += statistics.simulated;
    }
}
