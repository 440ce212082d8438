//! Vocabulary of what a table says of its compactions, besides how long it keeps a tombstone.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a compaction of the table may drop. `Default` is what a table has that does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PurgeOptions {
    /// Tombstones go only from sstables that are repaired, and those are compacted apart from the others.
    pub only_purge_repaired_tombstones: bool,
    /// Which tombstones of sstables outside a compaction drop what they cover inside.
    pub provide_overlapping_tombstones: TombstoneOption,
}

/// Which tombstones a compaction reads of sstables that are not its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TombstoneOption {
    /// None.
    #[default]
    None,
    /// Those of partitions, ranges and rows.
    Row,
    /// Those, and those of cells and of whole multi-cell columns.
    Cell,
}

impl TombstoneOption {
    /// Every option.
    pub const ALL: [TombstoneOption; 3] = [
        TombstoneOption::None,
        TombstoneOption::Row,
        TombstoneOption::Cell,
    ];

    /// What CQL calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TombstoneOption::None => "NONE",
            TombstoneOption::Row => "ROW",
            TombstoneOption::Cell => "CELL",
        }
    }
}

impl fmt::Display for TombstoneOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no option has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is none of NONE, ROW, CELL")]
pub struct UnknownTombstoneOption(pub String);

impl FromStr for TombstoneOption {
    type Err = UnknownTombstoneOption;

    fn from_str(name: &str) -> Result<TombstoneOption, UnknownTombstoneOption> {
        let mut all = TombstoneOption::ALL.into_iter();
        all.find(|option| option.name() == name)
            .ok_or_else(|| UnknownTombstoneOption(name.to_owned()))
    }
}

impl fmt::Display for PurgeOptions {
    /// ` AND compaction = {..}` with what is not the default; nothing when all is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let overlapping = self.provide_overlapping_tombstones;
        let repaired = self
            .only_purge_repaired_tombstones
            .then(|| "'only_purge_repaired_tombstones': 'true'".to_owned());
        let overlapping = (overlapping != TombstoneOption::None)
            .then(|| format!("'provide_overlapping_tombstones': '{overlapping}'"));
        let said: Vec<String> = repaired.into_iter().chain(overlapping).collect();
        if said.is_empty() {
            return Ok(());
        }
        write!(f, " AND compaction = {{{}}}", said.join(", "))
    }
}
