//! Vocabulary of a machine's clocks: monotonic nanoseconds, wall microseconds, sleeps.

use std::future::{Future, pending};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::machine::World;
use crate::machine::Sleep;
use crate::time::{Instant, WallMicros};

/// A sleep of [`Clock::sleep`] or [`Clock::sleep_until`].
#[derive(Debug)]
#[must_use = "a sleep does nothing unless awaited"]
pub struct Sleeping(Kind);

enum Kind {
    Simulated(Sleep),
    #[cfg(feature = "os")]
    Real(Pin<Box<dyn Future<Output = ()>>>),
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Simulated(sleep) => sleep.fmt(f),
            #[cfg(feature = "os")]
            Kind::Real(_) => f.write_str("Real"),
        }
    }
}

impl Future for Sleeping {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut self.0 {
            Kind::Simulated(sleep) => Pin::new(sleep).poll(context),
            #[cfg(feature = "os")]
            Kind::Real(sleep) => sleep.as_mut().poll(context),
        }
    }
}

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

    /// Ends after `duration`, counted from the first poll.
    pub fn sleep(&self, duration: Duration) -> Sleeping {
        Sleeping(match &self.world {
            World::Simulated(place) => Kind::Simulated(Sleep::lasting(Rc::clone(place), duration)),
            #[cfg(feature = "os")]
            World::Real(machine) => {
                let machine = Rc::clone(machine);
                Kind::Real(Box::pin(async move { machine.sleep(duration).await }))
            }
        })
    }

    /// Ends when [`Clock::monotonic`] has reached `deadline`.
    pub fn sleep_until(&self, deadline: Instant) -> Sleeping {
        Sleeping(match &self.world {
            World::Simulated(place) => Kind::Simulated(Sleep::until(Rc::clone(place), deadline)),
            #[cfg(feature = "os")]
            World::Real(machine) => {
                let machine = Rc::clone(machine);
                Kind::Real(Box::pin(async move { machine.sleep_until(deadline).await }))
            }
        })
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
