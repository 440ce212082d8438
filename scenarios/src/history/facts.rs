//! Vocabulary of what a judge must know of a run besides its events.

use std::time::Duration;

/// Bounds that held in a run, as its world measured or decided them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunFacts {
    /// No sync of a file took longer, from its call to its end.
    pub sync_longest: Duration,
    /// No packet arrived later than this after it was sent.
    pub packet_life_longest: Duration,
    /// Whether a request may reach the node more than once: clients send again, or the network
    /// doubles packets.
    pub requests_may_repeat: bool,
    /// After healing, every operation must be answered within this time.
    pub liveness_bound: Duration,
    /// When the run ended.
    pub ended_at: cenotaph_sim::time::Instant,
}
