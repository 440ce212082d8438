//! Invariants of matching: names are the table's, key columns whole or a prefix in key order, types
//! those of the columns.

use std::collections::BTreeSet;

use super::types::check;
use crate::keys::{DecoratedKey, PartitionKey, Slice, Text, Value};
use crate::message::error::StatementError;
use crate::message::statement::{Edge, NamedValue};
use crate::schema::{Column, Schema, SchemaError, Table, TableName};
use crate::system::SystemTable;

/// A table that may be read: one of the schema's own, or one of the users.
pub(super) fn readable<'a>(schema: &'a Schema, name: &TableName) -> Result<&'a Table, SchemaError> {
    match SystemTable::named(name) {
        Some(system) => Ok(system.definition()),
        None => Ok(schema.existing(name)?),
    }
}

/// A table, and the partition of it with this key.
///
/// # Errors
/// Why there is none such in the schema.
pub fn partition_of<'a>(
    schema: &'a Schema,
    name: &TableName,
    given: &[NamedValue],
) -> Result<(&'a Table, DecoratedKey), StatementError> {
    let table = readable(schema, name)?;
    Ok((table, partition_key(table, given)?))
}

pub(super) fn partition_key(
    table: &Table,
    given: &[NamedValue],
) -> Result<DecoratedKey, StatementError> {
    let values = all_key_values(table, table.partition_key(), given)?;
    let key = PartitionKey::from_values(&table.partition_key_types(), &values)?;
    Ok(DecoratedKey::new(key))
}

pub(super) fn all_key_values<'a>(
    table: &Table,
    columns: impl Iterator<Item = &'a Column>,
    given: &[NamedValue],
) -> Result<Vec<Value>, StatementError> {
    let columns: Vec<&Column> = columns.collect();
    if columns.len() != given.len() {
        return Err(key_columns(table, &columns, given));
    }
    key_values(table, &columns, given)
}

/// Values of the first of these columns, each of which has to be the next.
pub(super) fn key_values(
    table: &Table,
    columns: &[&Column],
    given: &[NamedValue],
) -> Result<Vec<Value>, StatementError> {
    for (name, _) in given {
        named(table, name)?;
    }
    let in_order = columns
        .iter()
        .zip(given)
        .all(|(column, (name, _))| column.name == *name);
    if !in_order || given.len() > columns.len() {
        return Err(key_columns(table, columns, given));
    }
    for (column, (_, value)) in columns.iter().zip(given) {
        check(column, value)?;
    }
    Ok(given.iter().map(|(_, value)| value.clone()).collect())
}

pub(super) fn key_columns(
    table: &Table,
    expected: &[&Column],
    given: &[NamedValue],
) -> StatementError {
    let expected: Vec<&str> = expected.iter().map(|column| &column.name[..]).collect();
    let got: Vec<&str> = given.iter().map(|(name, _)| &name[..]).collect();
    let (table, expected, got) = (table.name.to_string(), expected.join(", "), got.join(", "));
    StatementError::KeyColumns {
        table,
        expected,
        got,
    }
}

pub(super) fn named<'a>(table: &'a Table, name: &str) -> Result<&'a Column, StatementError> {
    match table.column_named(name) {
        Some(column) => Ok(column),
        None => {
            let (table, column) = (table.name.to_string(), name.into());
            Err(SchemaError::UnknownColumn { table, column }.into())
        }
    }
}

/// Columns that have cells, each named once.
pub(super) fn distinct_cell_columns<'a, 'n>(
    table: &'a Table,
    names: impl Iterator<Item = &'n Text>,
) -> Result<Vec<&'a Column>, StatementError> {
    let mut seen = BTreeSet::new();
    let column = |name: &'n Text| {
        let column = named(table, name)?;
        if column.kind.is_key() {
            return Err(StatementError::KeyColumn {
                column: name.clone(),
            });
        }
        if !seen.insert(name) {
            return Err(StatementError::ColumnTwice {
                column: name.clone(),
            });
        }
        Ok(column)
    };
    names.map(column).collect()
}

pub(super) fn slice(
    table: &Table,
    lower: Option<&Edge>,
    upper: Option<&Edge>,
) -> Result<Slice, StatementError> {
    let columns: Vec<&Column> = table.clustering().collect();
    let values = |edge: Option<&Edge>| match edge {
        None => Ok(None),
        Some(edge) if edge.values.is_empty() => Err(StatementError::NoEdge),
        Some(edge) => Ok(Some((
            key_values(table, &columns, &edge.values)?,
            edge.inclusive,
        ))),
    };
    let (lower, upper) = (values(lower)?, values(upper)?);
    Ok(table.clustering_shape().slice(
        lower
            .as_ref()
            .map(|(values, inclusive)| (&values[..], *inclusive)),
        upper
            .as_ref()
            .map(|(values, inclusive)| (&values[..], *inclusive)),
    )?)
}
