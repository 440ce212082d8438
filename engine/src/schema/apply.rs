//! Steps of enacting a change: check it against the schema; make the one table it is about anew; put
//! that into maps that share the rest. The cost is O(columns + log tables).

use std::sync::Arc;

use super::change::{Change, ColumnDefinition};
use super::column::{Column, DroppedColumn};
use super::epoch::Epoch;
use super::error::SchemaError;
use super::name::TableName;
use super::purge::PurgeOptions;
use super::table::Table;
use super::validate;
use super::value::Schema;
use crate::limits::{COLUMNS_PER_TABLE_MAX, TABLES_MAX};
use crate::rows::{ColumnId, TableId};

impl Schema {
    /// The schema after `change`, at the next epoch. Pure.
    ///
    /// # Errors
    /// Why the change is refused; the schema is then as it was.
    pub fn apply(&self, change: &Change) -> Result<Schema, SchemaError> {
        let epoch = self.epoch.next();
        match change {
            Change::CreateTable {
                name,
                columns,
                gc_grace_seconds,
                purge,
            } => self.create(epoch, name, columns, (*gc_grace_seconds, *purge)),
            Change::AddColumn { table, column } => {
                let table = add_column(self.existing(table)?, column)?;
                Ok(self.with(epoch, table))
            }
            Change::DropColumn {
                table,
                column,
                dropped_micros,
            } => {
                let table = drop_column(self.existing(table)?, column, *dropped_micros)?;
                Ok(self.with(epoch, table))
            }
            Change::DropTable { table } => {
                let id = self.existing(table)?.id;
                let mut next = Schema {
                    epoch,
                    ..self.clone()
                };
                next.tables.remove(&id);
                next.names.remove(table);
                next.dropped.insert(id, epoch);
                Ok(next)
            }
        }
    }

    fn create(
        &self,
        epoch: Epoch,
        name: &TableName,
        definitions: &[ColumnDefinition],
        (gc_grace_seconds, purge): (u32, PurgeOptions),
    ) -> Result<Schema, SchemaError> {
        if self.names.contains_key(name) {
            return Err(SchemaError::TableExists {
                table: name.to_string(),
            });
        }
        validate::count("tables of a node", self.tables.len() + 1, TABLES_MAX)?;
        validate::count(
            "columns of a table",
            definitions.len(),
            COLUMNS_PER_TABLE_MAX,
        )?;
        let columns = (0..)
            .zip(definitions)
            .map(|(id, definition)| column(id, definition));
        let columns: Vec<Column> = columns.collect();
        let next_column = columns.last().map_or(0, |column| column.id.0 + 1);
        let table = Table {
            id: TableId(epoch.0),
            name: name.clone(),
            altered: epoch,
            columns,
            dropped: Vec::new(),
            next_column: ColumnId(next_column),
            gc_grace_seconds,
            purge,
        };
        validate::table(&table)?;
        let mut next = self.with(epoch, table);
        next.names.insert(Arc::new(name.clone()), TableId(epoch.0));
        Ok(next)
    }

    /// This schema with one table put in the place of what had its id.
    fn with(&self, epoch: Epoch, table: Table) -> Schema {
        let mut next = Schema {
            epoch,
            ..self.clone()
        };
        next.tables.insert(
            table.id,
            Arc::new(Table {
                altered: epoch,
                ..table
            }),
        );
        next
    }
}

fn column(id: u32, definition: &ColumnDefinition) -> Column {
    Column {
        id: ColumnId(id),
        name: definition.name.clone(),
        data_type: definition.data_type.clone(),
        kind: definition.kind,
    }
}

fn add_column(table: &Table, definition: &ColumnDefinition) -> Result<Table, SchemaError> {
    let names = || (table.name.to_string(), definition.name.clone());
    if definition.kind.is_key() {
        let (table, column) = names();
        return Err(SchemaError::KeyColumn { table, column });
    }
    if table.column_named(&definition.name).is_some() {
        let (table, column) = names();
        return Err(SchemaError::ColumnExists { table, column });
    }
    let mut next = table.clone();
    let was = table
        .dropped
        .iter()
        .find(|dropped| dropped.column.name == definition.name);
    let id = match was {
        Some(DroppedColumn { column: was, .. }) => {
            if was.data_type != definition.data_type || was.kind != definition.kind {
                let (table, column) = names();
                let now = super::cql::describe(&definition.data_type, definition.kind);
                let was = super::cql::describe(&was.data_type, was.kind);
                return Err(SchemaError::ColumnChanged {
                    table,
                    column,
                    was,
                    now,
                });
            }
            was.id
        }
        None => {
            let count = table.next_column.0 as usize + 1;
            validate::count("columns of a table", count, COLUMNS_PER_TABLE_MAX)?;
            next.next_column = ColumnId(table.next_column.0 + 1);
            table.next_column
        }
    };
    let index = next.columns.partition_point(|column| column.id < id);
    next.columns.insert(index, column(id.0, definition));
    validate::table(&next)?;
    Ok(next)
}

fn drop_column(table: &Table, name: &str, dropped_micros: i64) -> Result<Table, SchemaError> {
    let names = || (table.name.to_string(), name.into());
    let Some(column) = table.column_named(name) else {
        let (table, column) = names();
        return Err(SchemaError::UnknownColumn { table, column });
    };
    if column.kind.is_key() {
        let (table, column) = names();
        return Err(SchemaError::KeyColumn { table, column });
    }
    let mut next = table.clone();
    next.columns.retain(|other| other.id != column.id);
    match next
        .dropped
        .binary_search_by_key(&column.id, |dropped| dropped.column.id)
    {
        Ok(index) => {
            let before = &mut next.dropped[index].dropped_micros;
            *before = dropped_micros.max(*before);
        }
        Err(index) => {
            next.dropped.insert(
                index,
                DroppedColumn {
                    column: column.clone(),
                    dropped_micros,
                },
            );
        }
    }
    Ok(next)
}
