//! Vocabulary of planted bugs: bugs that real databases had, each one line at its site.
//!
//! A site asks [`on`]. Without the feature `planted` the answer is a constant `false`; with it, a run
//! chooses at most one bug for its thread, by a guard.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Plant {
    /// At a memtable switch the memtables are swapped, then others run, then the log position is read.
    P02,
    /// Log segments are deleted before the directory of the new sstables is synced.
    P05,
    /// A failed sync is told to one waiter only, and forgotten.
    P36,
}

impl Plant {
    /// Every planted bug.
    pub const ALL: [Plant; 3] = [Plant::P02, Plant::P05, Plant::P36];

    /// The name that a plan uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Plant::P02 => "P02",
            Plant::P05 => "P05",
            Plant::P36 => "P36",
        }
    }

    /// What the engine does wrong, in one line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Plant::P02 => {
                "the memtable is switched, others run, then the log position that ends it is read"
            }
            Plant::P05 => "the data directory is not synced before log segments are deleted",
            Plant::P36 => "a failed log sync is told to its first waiter only, and the log goes on",
        }
    }

    /// Where the bug was first found.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Plant::P02 => "CASSANDRA-8383",
            Plant::P05 => "CASSANDRA-3250",
            Plant::P36 => "Pebble 1a5f76800",
        }
    }
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no planted bug has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no planted bug is called {0:?}")]
pub struct UnknownPlant(pub String);

impl FromStr for Plant {
    type Err = UnknownPlant;

    fn from_str(name: &str) -> Result<Plant, UnknownPlant> {
        Plant::ALL
            .into_iter()
            .find(|plant| plant.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownPlant(name.to_owned()))
    }
}

#[cfg(feature = "planted")]
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

    /// Chooses a planted bug, or none, for this thread until the guard is dropped.
    pub fn choose(plant: Option<Plant>) -> Guard {
        Guard {
            before: CHOSEN.replace(plant),
            thread: PhantomData,
        }
    }

    /// Whether this thread's run chose `plant`.
    #[must_use]
    pub fn on(plant: Plant) -> bool {
        CHOSEN.get() == Some(plant)
    }
}

#[cfg(feature = "planted")]
pub use chosen::{Guard, choose, on};

/// Whether this thread's run chose `plant`: never, in a build without planted bugs.
#[cfg(not(feature = "planted"))]
#[must_use]
pub const fn on(_plant: Plant) -> bool {
    false
}
