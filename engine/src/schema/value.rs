//! Invariants of a schema: names and ids name the same tables; an id is either live, dropped, or above
//! the epoch; tables that a change does not touch are shared with the schema before it.

use std::sync::Arc;

use imbl::OrdMap;

use super::epoch::Epoch;
use super::error::SchemaError;
use super::name::TableName;
use super::table::Table;
use crate::rows::TableId;

/// All tables at one epoch. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    pub(super) epoch: Epoch,
    pub(super) tables: OrdMap<TableId, Arc<Table>>,
    pub(super) names: OrdMap<Arc<TableName>, TableId>,
    /// Dropped tables, with the epoch that dropped each: their log records are no mystery.
    pub(super) dropped: OrdMap<TableId, Epoch>,
}

impl Schema {
    /// The schema before the first change.
    #[must_use]
    pub fn empty() -> Schema {
        Schema::default()
    }

    /// The epoch of the last change.
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The table with this id.
    #[must_use]
    pub fn table(&self, id: TableId) -> Option<&Arc<Table>> {
        self.tables.get(&id)
    }

    /// The table of this name.
    #[must_use]
    pub fn table_named(&self, name: &TableName) -> Option<&Arc<Table>> {
        self.table(*self.names.get(name)?)
    }

    /// The table of this name, which a statement is about.
    ///
    /// # Errors
    /// There is none, or it is one of the engine's own.
    pub fn existing(&self, name: &TableName) -> Result<&Arc<Table>, SchemaError> {
        if name.is_system() {
            let keyspace = name.keyspace.clone();
            return Err(SchemaError::SystemKeyspace { keyspace });
        }
        let table = || name.to_string();
        self.table_named(name)
            .ok_or_else(|| SchemaError::UnknownTable { table: table() })
    }

    /// Whether the keyspace has a live table. O(log tables).
    #[must_use]
    pub fn has_keyspace(&self, keyspace: &str) -> bool {
        let first = self.names.get_next(&TableName::new(keyspace, ""));
        first.is_some_and(|(name, _)| name.keyspace == keyspace)
    }

    /// Live tables, ascending by id.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    /// How many live tables there are. O(1).
    #[must_use]
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// The epoch that dropped the table with this id, when one did.
    #[must_use]
    pub fn dropped_at(&self, id: TableId) -> Option<Epoch> {
        self.dropped.get(&id).copied()
    }
}
