//! Invariants of wall clocks: read from virtual time by integers only; a jump or a drift moves the
//! wall clock and never the monotonic one; a drift begins and ends without a jump.

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
    /// What it gains now, in millionths.
    drift_ppm: i64,
    drifts_count: u32,
}

impl WallClock {
    pub(super) fn new(options: ClockOptions) -> WallClock {
        WallClock {
            options,
            jumps_micros: 0,
            drift_ppm: options.drift_ppm,
            drifts_count: 0,
        }
    }

    pub(super) fn jump(&mut self, micros: i64) {
        self.jumps_micros = self.jumps_micros.saturating_add(micros);
    }

    /// Has it gain `ppm` more from now on than it was made to, in place of an earlier drift; gives the
    /// drift's number.
    pub(super) fn drift(&mut self, now: Instant, ppm: i64) -> u32 {
        self.turn(now, self.options.drift_ppm.saturating_add(ppm));
        self.drifts_count += 1;
        self.drifts_count
    }

    /// Has it run as it was made to, unless another drift began since.
    pub(super) fn end_drift(&mut self, now: Instant, number: u32) {
        if number == self.drifts_count {
            self.turn(now, self.options.drift_ppm);
        }
    }

    /// Ends any drift.
    pub(super) fn end_drifts(&mut self, now: Instant) {
        self.end_drift(now, self.drifts_count);
    }

    fn turn(&mut self, now: Instant, drift_ppm: i64) {
        // What was gained so far stays gained.
        let gained = gained_micros(now, self.drift_ppm) - gained_micros(now, drift_ppm);
        self.jump(i64::try_from(gained).unwrap_or(0));
        self.drift_ppm = drift_ppm;
    }

    pub(super) fn read(&self, now: Instant) -> WallMicros {
        let true_micros = i64::try_from(now.as_nanos() / 1_000).unwrap_or(i64::MAX / 4);
        let drifted = i64::try_from(gained_micros(now, self.drift_ppm)).unwrap_or(0);
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

/// What a clock gains from the beginning of time until `now`, in microseconds.
fn gained_micros(now: Instant, drift_ppm: i64) -> i128 {
    i128::from(now.as_nanos() / 1_000) * i128::from(drift_ppm) / 1_000_000
}
