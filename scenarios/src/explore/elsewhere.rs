//! Vocabulary of runs in another process: what it is asked, and what it tells.

use std::ops::Range;

/// What another process tells of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The fingerprint, printed.
    pub fingerprint: String,
    /// Its checkpoints.
    pub checkpoints: Vec<u64>,
    /// `held`, or the identity of the failure.
    pub verdict: String,
    /// The recorded events, printed.
    pub recorded: Vec<String>,
}

/// A way to run a seed in another process.
pub trait Elsewhere: Sync {
    /// Runs a scenario's seed there, and records a window of events.
    ///
    /// # Errors
    /// Why the process did not answer.
    fn run(
        &self,
        scenario: &str,
        seed: u64,
        bug: Option<&str>,
        window: Option<Range<u64>>,
    ) -> Result<Told, String>;
}
