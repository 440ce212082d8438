//! Vocabulary of time: monotonic nanoseconds and wall microseconds are different types on purpose.

use std::fmt;
use std::time::Duration;

/// Nanoseconds of monotonic time since the machine's world (or process) began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The beginning.
    pub const ZERO: Instant = Instant(0);

    /// The instant `nanos` after the beginning.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Instant {
        Instant(nanos)
    }

    /// Nanoseconds since the beginning.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// `self + duration`, or the end of time when that is beyond it.
    #[must_use]
    pub fn after(self, duration: Duration) -> Instant {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Instant(self.0.saturating_add(nanos))
    }

    /// How long after `earlier` this is; zero when it is not after it.
    #[must_use]
    pub const fn since(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Instant {
    /// Seconds with six digits: `12.000345s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{:06}s",
            self.0 / 1_000_000_000,
            self.0 / 1_000 % 1_000_000
        )
    }
}

/// Microseconds since the Unix epoch, as this machine's wall clock tells them: it may jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallMicros(pub i64);

impl WallMicros {
    /// Whole seconds since the epoch, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
}
