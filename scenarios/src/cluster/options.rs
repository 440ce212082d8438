//! Vocabulary of how a run is watched.

use std::ops::Range;

/// How to run; changes what is told, never what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Which events to record for people, by number.
    pub window: Option<Range<u64>>,
    /// Whether a `tracing` subscriber of this thread wants to know where the run is.
    pub observed: bool,
}
