//! Vocabulary of real time: what passes on the wall, and what this process spends on its cores.
//!
//! Only rates, progress and budgets in seconds may use it; no run ever sees it.
#![expect(
    clippy::disallowed_types,
    reason = "the door to the real clock, for rates and for fresh seeds that are printed"
)]

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Wall time since some moment.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(std::time::Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch(std::time::Instant::now())
    }

    /// How long ago it started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// CPU time that all threads of this process have spent, user and system; other processes that it
/// started are not in it.
#[must_use]
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).expect("no process has spent negative time");
    let nanos = u32::try_from(time.tv_nsec).expect("a second has 10^9 nanoseconds");
    Duration::new(seconds, nanos)
}

/// Seconds since the Unix epoch, to give a sweep seeds that no sweep had before.
#[must_use]
#[expect(
    clippy::disallowed_types,
    reason = "fresh seeds come from outside, and are printed"
)]
pub fn unix_seconds() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
