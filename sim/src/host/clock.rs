//! Vocabulary of a machine's clocks: monotonic nanoseconds, wall microseconds, sleeps.

use std::future::pending;
use std::rc::Rc;
use std::time::Duration;

use super::machine::World;
use crate::machine::Sleep;
use crate::time::{Instant, WallMicros};

/// The machine's clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    pub(super) world: World,
}

impl Clock {
    /// Monotonic time since this incarnation began.
    #[must_use]
    pub fn monotonic(&self) -> Instant {
        match &self.world {
            World::Simulated(place) => place
                .ground()
                .map_or(Instant::ZERO, |ground| ground.monotonic(place)),
            #[cfg(feature = "os")]
            World::Real(machine) => machine.monotonic(),
        }
    }

    /// Wall time, which may be wrong and may jump.
    #[must_use]
    pub fn wall(&self) -> WallMicros {
        match &self.world {
            World::Simulated(place) => place
                .ground()
                .map_or(WallMicros(0), |ground| ground.wall(place)),
            #[cfg(feature = "os")]
            World::Real(machine) => machine.wall(),
        }
    }

    /// Ends after `duration`.
    pub async fn sleep(&self, duration: Duration) {
        match &self.world {
            World::Simulated(place) => {
                let Some(ground) = place.ground() else {
                    return pending().await;
                };
                let deadline = ground.now().after(duration);
                drop(ground);
                Sleep::until(Rc::clone(place), deadline).await;
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.sleep(duration).await,
        }
    }

    /// Ends when [`Clock::monotonic`] has reached `deadline`.
    pub async fn sleep_until(&self, deadline: Instant) {
        match &self.world {
            World::Simulated(place) => {
                let Some(ground) = place.ground() else {
                    return pending().await;
                };
                let deadline = ground.world_instant(place, deadline);
                drop(ground);
                Sleep::until(Rc::clone(place), deadline).await;
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.sleep_until(deadline).await,
        }
    }

    /// Spends virtual time for counted work, by the machine's tariff; nothing on a real machine,
    /// where work takes the time it takes.
    pub async fn charge(&self, work: u64) {
        match &self.world {
            World::Simulated(place) => {
                let Some(ground) = place.ground() else {
                    return pending().await;
                };
                let nanos = ground.work_nanos(place, work);
                drop(ground);
                if nanos > 0 {
                    self.sleep(Duration::from_nanos(nanos)).await;
                }
            }
            #[cfg(feature = "os")]
            World::Real(_) => {}
        }
    }
}
