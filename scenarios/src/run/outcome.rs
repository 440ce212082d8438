//! Vocabulary of outcomes: what came of one run of a plan.

use std::time::Duration;

use cenotaph_sim::trace::{Event, Fingerprint, Marks};

use crate::check::Verdict;
use crate::history::{History, RunFacts};
use crate::plan::Fault;

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStatistics {
    /// Operations that clients began, the final reads included.
    pub operations_count: u64,
    /// Events that entered the fingerprint.
    pub events_count: u64,
    /// Crashes of the node, by whatever cause.
    pub crashes_count: u64,
    /// Faults that struck.
    pub faults_count: u64,
    /// Deletions that compactions forgot.
    pub stones_purged_count: u64,
    /// Polls of tasks.
    pub polls_count: u64,
    /// Sum over the polls of how many tasks were ready.
    pub ready_sum: u64,
    /// Virtual time that passed.
    pub simulated: Duration,
}

/// What came of one run of a plan.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the judges say.
    pub verdict: Verdict,
    /// Hash of all events.
    pub fingerprint: Fingerprint,
    /// What the clients saw, and what became of the node.
    pub history: History,
    /// Bounds that held in the run.
    pub facts: RunFacts,
    /// Counts.
    pub statistics: RunStatistics,
    /// Which marks were reached.
    pub marks: Marks,
    /// Faults of the plan whose anchor was never reached.
    pub faults_waiting: Vec<Fault>,
    /// The recorded window of events, when one was asked for.
    pub recorded: Vec<Event>,
}
