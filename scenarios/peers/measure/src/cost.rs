//! Vocabulary of costs: CPU time of the thread that ran a workload, so that what else the machine does
//! weighs little.

use rustix::time::{ClockId, clock_gettime};

/// What a run of a workload cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Messages or timers that a CPU-second carries.
    pub per_second: u64,
}

/// CPU time of this thread so far, in nanoseconds.
#[must_use]
pub fn thread_nanos() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs());
    seconds * 1_000_000_000 + nanos
}

/// Runs what gives back how many messages or timers it carried, all on this thread.
pub fn measure(run: impl FnOnce() -> u64) -> Cost {
    let began = thread_nanos();
    let count = run();
    let took_micros = ((thread_nanos() - began) / 1_000).max(1);
    Cost {
        per_second: count * 1_000_000 / took_micros,
    }
}

/// The middle one of several costs.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn median(costs: &[Cost]) -> Cost {
    assert!(!costs.is_empty(), "no run, no cost");
    let mut sorted = costs.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
