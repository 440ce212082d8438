//! Vocabulary of table names.

use serde::{Deserialize, Serialize};

use crate::keys::Text;
/// What a statement calls a table. Ordered by keyspace, then by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableName {
    /// The keyspace.
    pub keyspace: Text,
    /// The table's name in it.
    pub table: Text,
}

impl TableName {
    /// `keyspace.table`.
    #[must_use]
    pub fn new(keyspace: &str, table: &str) -> TableName {
        TableName {
            keyspace: keyspace.into(),
            table: table.into(),
        }
    }
    /// Whether the keyspace belongs to the engine: nobody else makes, changes or writes tables in it.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.keyspace == "system" || self.keyspace.starts_with("system_")
    }
}
