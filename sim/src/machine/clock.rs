//! Invariants of wall clocks: read from virtual time by integers only; a jump moves the wall clock
//! and never the monotonic one.

use crate::time::{Instant, WallMicros};

impl ClockOptions {
    /// True wall time at the beginning of every run: 14 November 2023, 22:13:20 UTC.
    pub const BEGIN: WallMicros = WallMicros(1_700_000_000_000_000);
}

/// How a machine's wall clock stands to true time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockOptions {
    /// Where it stands at the beginning of the run, in microseconds from true time.
    pub offset_micros: i64,
    /// How much it gains, in millionths; negative when it loses.
    pub drift_ppm: i64,
}

/// A wall clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallClock {
    options: ClockOptions,
    jumps_micros: i64,
}

impl WallClock {
    pub(super) fn new(options: ClockOptions) -> WallClock {
        WallClock {
            options,
            jumps_micros: 0,
        }
    }

    pub(super) fn jump(&mut self, micros: i64) {
        self.jumps_micros = self.jumps_micros.saturating_add(micros);
    }

    pub(super) fn read(&self, now: Instant) -> WallMicros {
        let true_micros = i64::try_from(now.as_nanos() / 1_000).unwrap_or(i64::MAX / 4);
        let drifted = i128::from(true_micros) * i128::from(self.options.drift_ppm) / 1_000_000;
        let drifted = i64::try_from(drifted).unwrap_or(0);
        WallMicros(
            ClockOptions::BEGIN
                .0
                .saturating_add(true_micros)
                .saturating_add(drifted)
                .saturating_add(self.options.offset_micros)
                .saturating_add(self.jumps_micros),
        )
    }
}
