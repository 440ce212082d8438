//! Vocabulary of table names.

use serde::{Deserialize, Serialize};

/// What a statement calls a table. Ordered by keyspace, then by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableName {
    /// The keyspace.
    pub keyspace: String,
    /// The table's name in it.
    pub table: String,
}

impl TableName {
    /// `keyspace.table`.
    #[must_use]
    pub fn new(keyspace: &str, table: &str) -> TableName {
        TableName {
            keyspace: keyspace.to_owned(),
            table: table.to_owned(),
        }
    }
    /// Whether the keyspace belongs to the engine: nobody else makes, changes or writes tables in it.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.keyspace == "system" || self.keyspace.starts_with("system_")
    }
}
