//! Vocabulary of schema changes: values that fully say what happens, whatever node enacts them.

use serde::{Deserialize, Serialize};

use super::column::ColumnKind;
use super::name::TableName;
use super::purge::PurgeOptions;
use crate::keys::{ColumnType, Text};

/// A column as a statement defines it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ColumnDefinition {
    /// Its name.
    pub name: Text,
    /// Type of its values.
    pub data_type: ColumnType,
    /// What it is to the table.
    pub kind: ColumnKind,
}

/// One schema change. Nothing in it depends on the node's configuration or clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// A new table; its id is the epoch of the change.
    CreateTable {
        /// What statements call it.
        name: TableName,
        /// Its columns; those of a key are in key order.
        columns: Vec<ColumnDefinition>,
        /// How long a tombstone is kept, in seconds.
        gc_grace_seconds: u32,
        /// What its compactions may drop.
        purge: PurgeOptions,
    },
    /// A new static or regular column, or a dropped one again.
    AddColumn {
        /// The table.
        table: TableName,
        /// The column.
        column: ColumnDefinition,
    },
    /// A static or regular column goes, with what it held.
    DropColumn {
        /// The table.
        table: TableName,
        /// The column.
        column: Text,
        /// Cells with a write time up to this, in microseconds, are dead, even if the column comes back.
        dropped_micros: i64,
    },
    /// A table goes, with what it held.
    DropTable {
        /// The table.
        table: TableName,
    },
}

impl Change {
    /// The table it is about.
    #[must_use]
    pub const fn table(&self) -> &TableName {
        match self {
            Change::CreateTable { name, .. } => name,
            Change::AddColumn { table, .. }
            | Change::DropColumn { table, .. }
            | Change::DropTable { table } => table,
        }
    }
}
