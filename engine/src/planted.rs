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
    /// A purge looks at sstables only, not at memtables.
    P01,
    /// At a memtable switch the memtables are swapped, then others run, then the log position is read.
    P02,
    /// At recovery the log goes on behind a torn tail.
    P03,
    /// One largest flushed position a table, in place of a set of intervals.
    P04,
    /// Log segments are deleted before the directory of the new sstables is synced.
    P05,
    /// Compaction inputs go one by one, with no logged transaction.
    P06,
    /// Between equal timestamps the later arrival wins.
    P07,
    /// A read in descending order forgets the range tombstones of what it merges.
    P08,
    /// The flag of a coming schema flush is cleared at its end, not at its start.
    P09,
    /// A failed flush gives the log back.
    P11,
    /// The inclusive end of a range tombstone is exclusive.
    P21,
    /// A tombstone is purged in the second in which its grace ends.
    P25,
    /// A replay begins at the smallest position of the flushed tables only.
    P30,
    /// A failed sync is told to one waiter only, and forgotten.
    P36,
    /// What a memtable drops is used again while a reader who waits may still come to it.
    P39,
    /// An expired cell is dropped as if it shadowed nothing.
    C01,
    /// A new window forgets the flush that waits, not its flag.
    C02,
    /// A purge is bound by what a memtable still holds, not by all that was put into it.
    C03,
    /// A write does not ask what deletes it already.
    C04,
    /// A range of one prefix that becomes two boundaries loses the one that closes it.
    C05,
    /// A row that is written again keeps the greatest write time that it had.
    C06,
    /// A row deletion does not learn of the range that is laid around it.
    C07,
}

impl Plant {
    /// Every planted bug.
    pub const ALL: [Plant; 22] = [
        Plant::P01,
        Plant::P02,
        Plant::P03,
        Plant::P04,
        Plant::P05,
        Plant::P06,
        Plant::P07,
        Plant::P08,
        Plant::P09,
        Plant::P11,
        Plant::P21,
        Plant::P25,
        Plant::P30,
        Plant::P36,
        Plant::P39,
        Plant::C01,
        Plant::C02,
        Plant::C03,
        Plant::C04,
        Plant::C05,
        Plant::C06,
        Plant::C07,
    ];

    /// The name that a plan uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Plant::P01 => "P01",
            Plant::P02 => "P02",
            Plant::P03 => "P03",
            Plant::P04 => "P04",
            Plant::P05 => "P05",
            Plant::P06 => "P06",
            Plant::P07 => "P07",
            Plant::P08 => "P08",
            Plant::P09 => "P09",
            Plant::P11 => "P11",
            Plant::P21 => "P21",
            Plant::P25 => "P25",
            Plant::P30 => "P30",
            Plant::P36 => "P36",
            Plant::P39 => "P39",
            Plant::C01 => "C01",
            Plant::C02 => "C02",
            Plant::C03 => "C03",
            Plant::C04 => "C04",
            Plant::C05 => "C05",
            Plant::C06 => "C06",
            Plant::C07 => "C07",
        }
    }

    /// What the engine does wrong, in one line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Plant::P01 => {
                "a compaction purges a tombstone although a memtable holds older data below it"
            }
            Plant::P02 => {
                "the memtable is switched, others run, then the log position that ends it is read"
            }
            Plant::P03 => {
                "at recovery the torn segment is opened for append and its tail is not cut"
            }
            Plant::P04 => "a replay skips all below the largest flushed position of a table",
            Plant::P05 => "the data directory is not synced before log segments are deleted",
            Plant::P06 => "the inputs of a compaction leave the manifest one by one",
            Plant::P07 => "of two values with equal timestamps the one that arrives later wins",
            Plant::P08 => "a read in descending order does not apply range tombstones",
            Plant::P09 => "a schema change during a schema flush arms no other flush",
            Plant::P11 => "the commit log of a failed flush is discarded as if it had succeeded",
            Plant::P21 => "a range deletion does not reach the row at its inclusive end",
            Plant::P25 => "a tombstone whose grace ends in this very second is purged",
            Plant::P30 => "a replay leaves out tables that were never flushed",
            Plant::P36 => "a failed log sync is told to its first waiter only, and the log goes on",
            Plant::P39 => "a memtable uses its memory again under a reader who waits for a file",
            Plant::C01 => {
                "a compaction drops an expired cell although older data lies below it elsewhere"
            }
            Plant::C02 => {
                "setting the schema flush window drops the pending flush and leaves it armed"
            }
            Plant::C03 => {
                "a compaction purges a tombstone below which a memtable held older data until a write replaced it"
            }
            Plant::C04 => "a write into a memtable survives a newer range deletion that is there",
            Plant::C05 => {
                "in a memtable a range deletion of one prefix does not end once another meets it"
            }
            Plant::C06 => {
                "a memtable drops a row whole although a later write to it outlives the range deletion"
            }
            Plant::C07 => {
                "a memtable loses sight of a range deletion from before a row deletion within it"
            }
        }
    }

    /// Where the bug was first found.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Plant::P01 => "CASSANDRA-9949",
            Plant::P02 => "CASSANDRA-8383",
            Plant::P03 => "cqlite 1390",
            Plant::P04 => "CASSANDRA-9669",
            Plant::P05 => "CASSANDRA-3250",
            Plant::P06 => "CASSANDRA-7066",
            Plant::P07 => "CASSANDRA-14592",
            Plant::P08 => "CASSANDRA-11733",
            Plant::P09 => "CASSANDRA-21664",
            Plant::P11 => "CASSANDRA-11828",
            Plant::P21 => "CASSANDRA-13340",
            Plant::P25 => "CASSANDRA-3579",
            Plant::P30 => "Scylla 2b812a392a",
            Plant::P36 => "Pebble 1a5f76800",
            Plant::P39 => "CASSANDRA-9388",
            Plant::C01 => "CASSANDRA-21356",
            Plant::C02 => "CASSANDRA-21664",
            Plant::C03 => "this engine, found by tombstone-merge",
            Plant::C04 | Plant::C05 | Plant::C06 | Plant::C07 => "this engine's memtable",
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
