//! Vocabulary of what a sweep keeps of a run: all that is compared and counted, no history.

use std::collections::BTreeMap;

use cenotaph_sim::trace::{Fingerprint, Marks};

use super::faults::{self, FaultCount};
use super::harness::{Entry, Harness};
use super::operations::{self, OperationCount};
use crate::check::Verdict;
use crate::cluster::RunOptions;
use crate::run::RunStatistics;

/// What came of one seed's run.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) scenario: &'static str,
    pub(super) seed: u64,
    pub(super) fingerprint: Fingerprint,
    pub(super) verdict: Verdict,
    pub(super) statistics: RunStatistics,
    pub(super) marks: Marks,
    pub(super) faults: BTreeMap<&'static str, FaultCount>,
    pub(super) operations: BTreeMap<&'static str, OperationCount>,
}

impl Seen {
    /// Runs a seed.
    pub(super) fn of(harness: &Harness<'_>, item: &(Entry, u64), bug: Option<&str>) -> Seen {
        let (entry, seed) = *item;
        let plan = harness.plan(entry.name, seed, bug);
        let outcome = (harness.run)(&plan, &RunOptions::default());
        Seen {
            scenario: entry.name,
            seed,
            faults: faults::count(&plan.faults, &outcome.faults_waiting),
            operations: operations::count(&plan, &outcome.history),
            fingerprint: outcome.fingerprint,
            verdict: outcome.verdict,
            statistics: outcome.statistics,
            marks: outcome.marks,
        }
    }

    /// The verdict in one word or one identity.
    pub(super) fn told(&self) -> String {
        verdict_word(&self.verdict)
    }
}

/// `held`, or the identity of the failure.
#[must_use]
pub fn verdict_word(verdict: &Verdict) -> String {
    verdict
        .identity()
        .map_or_else(|| "held".to_owned(), |identity| identity.to_string())
}
