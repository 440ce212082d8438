//! Vocabulary of the system's clocks: monotonic time since the process's start, and wall time.
#![expect(
    clippy::disallowed_types,
    reason = "the real machine's clocks are the system's"
)]

use std::time::{Duration, SystemTime};

use super::machine::Machine;
use crate::time::{Instant, WallMicros};

/// When the incarnation began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Epoch(std::time::Instant);

impl Epoch {
    pub(super) fn now() -> Epoch {
        Epoch(std::time::Instant::now())
    }

    fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

impl Machine {
    /// Monotonic time since this incarnation began.
    #[must_use]
    pub fn monotonic(&self) -> Instant {
        Instant::ZERO.after(self.epoch.elapsed())
    }

    /// The system's wall time.
    #[must_use]
    pub fn wall(&self) -> WallMicros {
        let micros = |span: Duration| i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => WallMicros(micros(since)),
            Err(error) => WallMicros(-micros(error.duration())),
        }
    }

    /// Ends after `duration`.
    pub async fn sleep(&self, duration: Duration) {
        self.alive().await;
        tokio::time::sleep(duration).await;
    }

    /// Ends when [`Machine::monotonic`] has reached `deadline`.
    pub async fn sleep_until(&self, deadline: Instant) {
        loop {
            let rest = deadline.since(self.monotonic());
            if rest.is_zero() {
                return self.alive().await;
            }
            self.sleep(rest).await;
        }
    }
}
