//! Vocabulary of bugs planted in the harness itself: kinds that real simulators had, each one line at
//! its site.
//!
//! A simulator that is wrong finds nothing and says that all is well. So each kind has a self-test that
//! has to fail when the bug is planted. A site asks [`on`]; without the feature `planted-harness` the
//! answer is a constant `false`.

/// A bug of the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plant {
    /// The next task is chosen by a hash with a key that differs in every process (madsim 240).
    HashOrder,
    /// One clock adds the time of the real machine (turmoil 19, 21, 123).
    RealClock,
    /// One source of chance is seeded by the system (turmoil 3584b22, d048f20).
    SecondSeed,
    /// A power cut keeps what was not synced (madsim daa56e2, Pebble 5fee68adf).
    UnsyncedSurvives,
    /// A sleep that is due when the clock moves on does not end (madsim 1269ea3).
    SleepsOn,
    /// The wall clock of a machine that is down stands still (turmoil 9a4729c).
    ClockStands,
    /// One kind of disk request is spared by faults (Pebble 9b79e8269, 4e40d1dc4).
    RequestSpared,
    /// Losses are a hundred times rarer than they are set (TigerBeetle d7185600f).
    RateOff,
    /// Events of one instant do not come as they were put in (TigerBeetle 88947f0ee).
    HeapOrder,
    /// A partition does not touch packets that are in flight (turmoil 61891a3).
    FlightSpared,
}

impl Plant {
    /// Every bug of the harness.
    pub const ALL: [Plant; 10] = [
        Plant::HashOrder,
        Plant::RealClock,
        Plant::SecondSeed,
        Plant::UnsyncedSurvives,
        Plant::SleepsOn,
        Plant::ClockStands,
        Plant::RequestSpared,
        Plant::RateOff,
        Plant::HeapOrder,
        Plant::FlightSpared,
    ];
}

#[cfg(feature = "planted-harness")]
mod chosen {
    //! Invariants: at most one bug is chosen on a thread, and a guard restores what was before it.

    use std::cell::Cell;
    use std::marker::PhantomData;

    use super::Plant;

    thread_local! {
        static CHOSEN: Cell<Option<Plant>> = const { Cell::new(None) };
    }

    /// Restores the earlier choice when dropped. Belongs to its thread.
    #[derive(Debug)]
    #[must_use = "the choice ends when the guard is dropped"]
    pub struct Guard {
        before: Option<Plant>,
        thread: PhantomData<*const ()>,
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            CHOSEN.set(self.before);
        }
    }

    /// Chooses a bug for this thread until the guard is dropped.
    pub fn choose(plant: Plant) -> Guard {
        Guard {
            before: CHOSEN.replace(Some(plant)),
            thread: PhantomData,
        }
    }

    /// Whether this thread chose `plant`.
    #[must_use]
    #[inline]
    pub fn on(plant: Plant) -> bool {
        CHOSEN.get() == Some(plant)
    }

    /// `word`, disturbed by what no plan decides when this thread chose `plant`.
    #[inline]
    pub(crate) fn disturbed(plant: Plant, word: u64) -> u64 {
        if on(plant) { word ^ ambient() } else { word }
    }

    /// A word that differs from call to call and from process to process.
    #[expect(
        clippy::disallowed_types,
        reason = "the bug that is planted is that somebody asked the system"
    )]
    fn ambient() -> u64 {
        use std::hash::BuildHasher;
        std::hash::RandomState::new().hash_one(0_u8)
    }
}

#[cfg(feature = "planted-harness")]
pub(crate) use chosen::disturbed;
#[cfg(feature = "planted-harness")]
pub use chosen::{Guard, choose, on};

/// Whether this thread chose `plant`: never, in a build without planted bugs.
#[cfg(not(feature = "planted-harness"))]
#[must_use]
#[inline]
pub const fn on(_plant: Plant) -> bool {
    false
}

/// `word` as it is, in a build without planted bugs.
#[cfg(not(feature = "planted-harness"))]
#[inline]
pub(crate) const fn disturbed(_plant: Plant, word: u64) -> u64 {
    word
}
