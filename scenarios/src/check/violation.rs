//! Vocabulary of violations: what a judge objects to.

use std::fmt;

use cenotaph_sim::time::Instant;

/// What stays the same of a failure while its plan shrinks: no values, no times.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The judge.
    pub judge: &'static str,
    /// What it holds.
    pub invariant: &'static str,
    /// Role of the object.
    pub role: &'static str,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.judge, self.invariant, self.role)
    }
}

/// One objection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What stays the same.
    pub identity: Identity,
    /// What is wrong, for people.
    pub detail: String,
    /// When it showed.
    pub at: Instant,
}
