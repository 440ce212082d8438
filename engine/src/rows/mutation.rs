//! Vocabulary of mutations: one partition's change.

use serde::{Deserialize, Serialize};

use super::partition::Partition;
use crate::keys::DecoratedKey;

/// A table, for ever: ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableId(pub u64);

/// A change of one partition of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The table.
    pub table: TableId,
    /// The partition.
    pub key: DecoratedKey,
    /// What changes.
    pub update: Partition,
}
