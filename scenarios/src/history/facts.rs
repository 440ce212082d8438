//! Vocabulary of what a judge must know of a run besides its events.

use std::time::Duration;

use cenotaph_sim::time::Instant;

use super::clock::NodeClock;

/// Bounds that held in a run, as its world measured or decided them.
///
/// When the node admits a request only in the session of its own incarnation, and once, no packet
/// matters after its client gave up but to that incarnation: then `packet_life_longest` may be zero
/// and `requests_may_repeat` false, whatever the network does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFacts {
    /// No sync of a file took longer, from its call to its end.
    pub sync_longest: Duration,
    /// No task was later than this when its time came.
    pub late_longest: Duration,
    /// How long after its client gave up a request may still reach an incarnation that booted in
    /// between, and be executed there.
    pub packet_life_longest: Duration,
    /// Whether a request may be executed more than once.
    pub requests_may_repeat: bool,
    /// After healing, every operation must be answered within this time.
    pub liveness_bound: Duration,
    /// How many operations of the last reader there are, after healing.
    pub finals_count: usize,
    /// When the run ended.
    pub ended_at: Instant,
    /// The node's wall clock.
    pub clock: NodeClock,
}
