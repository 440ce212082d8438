//! Invariants of the node's wall clock: it runs evenly from where it began, but for its jumps and drifts;
//! so whatever it shows between two instants lies between what it shows at their ends, at the jumps, and
//! where drifts begin and end.

use std::ops::RangeInclusive;

use cenotaph_sim::time::Instant;
use cenotaph_sim::world::ClockOptions;

/// How the node's wall clock stood to true time, from the run's begin to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeClock {
    /// How far it was ahead when the run began, in microseconds.
    pub offset_micros: i64,
    /// How much it gains, in millionths; negative when it loses.
    pub drift_ppm: i64,
    /// By how much it jumped, in microseconds, and when; in order.
    pub jumps: Vec<(Instant, i64)>,
    /// From when on it gained how much besides, in millionths; in order.
    pub drifts: Vec<(Instant, i64)>,
}

impl NodeClock {
    /// Every second that the clock may have shown from one instant to the other, both included. At the
    /// instant of a jump it may have shown both: the second before and the second after.
    ///
    /// # Panics
    /// When the first instant comes after the second.
    #[must_use]
    pub fn wall_seconds(&self, from: Instant, to: Instant) -> RangeInclusive<u32> {
        assert!(from <= to, "{from} is after {to}");
        let before: i64 = self
            .jumps
            .iter()
            .filter(|(at, _)| *at < from)
            .fold(0, |sum, (_, micros)| sum.saturating_add(*micros));
        let (mut first, mut last) = (self.second(from, before), self.second(from, before));
        let mut widen = |second: u32| {
            first = first.min(second);
            last = last.max(second);
        };
        let mut jumped = before;
        for (at, micros) in &self.jumps {
            if (from..=to).contains(at) {
                widen(self.second(*at, jumped));
                jumped = jumped.saturating_add(*micros);
                widen(self.second(*at, jumped));
            }
        }
        for (at, _) in &self.drifts {
            if (from..=to).contains(at) {
                let jumps = self.jumps.iter().filter(|(jump_at, _)| jump_at <= at);
                let jumped = jumps.fold(0_i64, |sum, (_, micros)| sum.saturating_add(*micros));
                widen(self.second(*at, jumped));
            }
        }
        widen(self.second(to, jumped));
        first..=last
    }

    /// What the clock shows at an instant when its jumps add up to so much.
    fn second(&self, at: Instant, jumped_micros: i64) -> u32 {
        let true_micros = i128::from(at.as_nanos() / 1_000);
        let gained_micros = self.gained_micros(at);
        let micros = i128::from(ClockOptions::BEGIN.0)
            + true_micros
            + gained_micros
            + i128::from(self.offset_micros)
            + i128::from(jumped_micros);
        u32::try_from(micros.div_euclid(1_000_000).max(0)).unwrap_or(u32::MAX)
    }

    /// What it gained until an instant, reckoned as the clock itself does: what a drift gained stays.
    fn gained_micros(&self, at: Instant) -> i128 {
        let gained =
            |at: Instant, ppm: i64| i128::from(at.as_nanos() / 1_000) * i128::from(ppm) / 1_000_000;
        let (mut ppm, mut kept_micros) = (self.drift_ppm, 0);
        for (since, more_ppm) in self.drifts.iter().take_while(|(since, _)| *since <= at) {
            let next_ppm = self.drift_ppm + more_ppm;
            kept_micros += gained(*since, ppm) - gained(*since, next_ppm);
            ppm = next_ppm;
        }
        kept_micros + gained(at, ppm)
    }
}
