//! Vocabulary of what a table says of its compactions, besides its grace.

use serde::{Deserialize, Serialize};

/// Which tombstones of files outside a compaction take what they cover inside.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Overlapping {
    /// None.
    #[default]
    None,
    /// Those of partitions, ranges and rows.
    Row,
    /// All.
    Cell,
}

impl Overlapping {
    /// What CQL calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Overlapping::None => "NONE",
            Overlapping::Row => "ROW",
            Overlapping::Cell => "CELL",
        }
    }
}

/// What compactions of a table may drop.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct Purge {
    /// Tombstones go only from files that were marked as repaired.
    #[serde(skip_serializing_if = "is_default")]
    pub only_repaired: bool,
    /// What tombstones elsewhere take.
    #[serde(skip_serializing_if = "is_default")]
    pub overlapping: Overlapping,
}

impl Purge {
    /// Whether the table says nothing.
    #[must_use]
    pub fn is_default(&self) -> bool {
        is_default(self)
    }

    /// The options as CQL writes them; none where the table says nothing.
    #[must_use]
    pub fn options(&self) -> Vec<String> {
        let repaired = self
            .only_repaired
            .then(|| "'only_purge_repaired_tombstones': 'true'".to_owned());
        let name = self.overlapping.name();
        let overlapping = (!is_default(&self.overlapping))
            .then(|| format!("'provide_overlapping_tombstones': '{name}'"));
        repaired.into_iter().chain(overlapping).collect()
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
