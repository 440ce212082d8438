//! Vocabulary of worlds: what one is made of.

use std::ops::Range;

use crate::entropy::{Ratio, RunKey};
use crate::executor::Schedule;
use crate::network::LinkOptions;
use crate::time::Instant;

/// What a world is made of.
#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// The key of all chance.
    pub key: RunKey,
    /// Instants are rounded up to multiples of this, so that several things are due at once and
    /// there is something to choose; at least 1.
    pub quantum_nanos: u64,
    /// In which order ready tasks run.
    pub schedule: Schedule,
    /// How often a task that became ready is late, as a thread that is preempted is.
    pub stall: Ratio,
    /// By how much at most, in nanoseconds.
    pub stall_nanos_max: u64,
    /// How links behave.
    pub link: LinkOptions,
    /// When the world begins: at the beginning of time, unless it goes on where another one was left.
    pub begins_at: Instant,
    /// Which events to record for people, by number.
    pub window: Option<Range<u64>>,
    /// Whether a `tracing` subscriber listens on this thread: only then is it told where we are.
    pub observed: bool,
    /// Marks of machines that begin like one of these become [`super::WorldEvent::Marked`], with their
    /// time; all are counted.
    pub marks_logged: &'static [&'static str],
}

impl WorldOptions {
    /// The defaults under this key: a quantum of 250 µs, random order, links that lose nothing.
    #[must_use]
    pub fn new(key: RunKey) -> WorldOptions {
        WorldOptions {
            key,
            quantum_nanos: 250_000,
            schedule: Schedule::Random,
            stall: Ratio::NEVER,
            stall_nanos_max: 0,
            link: LinkOptions::default(),
            begins_at: Instant::ZERO,
            window: None,
            observed: false,
            marks_logged: &[],
        }
    }
}
