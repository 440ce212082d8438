//! Vocabulary of sstable names: which table's, which one, and where it lies.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rows::TableId;

/// An sstable of this node, for ever: ids come from the manifest's counter and are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SstableId(pub u64);

/// The directory of all sstables.
pub const DATA_DIR: &str = "data";

/// What an sstable is called: its table and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SstableName {
    /// The table whose rows it holds.
    pub table: TableId,
    /// Which one.
    pub id: SstableId,
}

impl SstableName {
    /// The file's path below the node's root: `data/<table id>-<sstable id>.sst`.
    #[must_use]
    pub fn path(self) -> String {
        format!("{DATA_DIR}/{self}")
    }

    /// The name that a file in [`DATA_DIR`] has; none when it is no sstable's.
    ///
    /// Only the one spelling that [`SstableName::path`] gives is accepted: `data/01-2.sst` is no sstable.
    #[must_use]
    pub fn parse(file_name: &str) -> Option<SstableName> {
        let (table, id) = file_name.strip_suffix(".sst")?.split_once('-')?;
        let name = SstableName {
            table: TableId(table.parse().ok()?),
            id: SstableId(id.parse().ok()?),
        };
        (name.to_string() == file_name).then_some(name)
    }
}

impl fmt::Display for SstableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}.sst", self.table.0, self.id.0)
    }
}
