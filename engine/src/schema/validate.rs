//! Invariants that every table keeps, whether a change made it or bytes did.

use std::collections::BTreeSet;

use super::column::{Column, ColumnKind};
use super::error::SchemaError;
use super::table::Table;
use crate::limits::{COLUMN_TYPE_SIZE_MAX, COLUMNS_PER_TABLE_MAX, KEY_COLUMNS_MAX, NAME_SIZE_MAX};

/// Refuses a `count` above its maximum.
pub(super) fn count(what: &'static str, count: usize, count_max: usize) -> Result<(), SchemaError> {
    if count > count_max {
        return Err(SchemaError::Limit {
            what,
            count,
            count_max,
        });
    }
    Ok(())
}

/// Refuses a table that breaks a rule.
pub(super) fn table(table: &Table) -> Result<(), SchemaError> {
    name(&table.name.keyspace)?;
    name(&table.name.table)?;
    if table.name.is_system() {
        return Err(SchemaError::SystemKeyspace {
            keyspace: table.name.keyspace.clone(),
        });
    }
    count(
        "columns of a table",
        table.next_column.0 as usize,
        COLUMNS_PER_TABLE_MAX,
    )?;
    count(
        "columns of a partition key",
        table.partition_key().count(),
        KEY_COLUMNS_MAX,
    )?;
    count(
        "columns of a clustering",
        table.clustering().count(),
        KEY_COLUMNS_MAX,
    )?;
    let mut names = BTreeSet::new();
    for column in &table.columns {
        name(&column.name)?;
        if !names.insert(&column.name) {
            let (table, column) = (table.name.to_string(), column.name.clone());
            return Err(SchemaError::ColumnExists { table, column });
        }
        column_type(table, column)?;
        if column.kind == ColumnKind::Static && table.clustering().next().is_none() {
            let (table, column) = (table.name.to_string(), column.name.clone());
            return Err(SchemaError::StaticWithoutClustering { table, column });
        }
    }
    if table.partition_key().next().is_none() {
        return Err(SchemaError::NoPartitionKey {
            table: table.name.to_string(),
        });
    }
    Ok(())
}

/// Refuses a key column that is not scalar, and a struct without fields, with two of one name, or that is too
/// long to tell.
fn column_type(table: &Table, column: &Column) -> Result<(), SchemaError> {
    if column.kind.is_key() && column.data_type.scalar().is_none() {
        return Err(SchemaError::KeyType {
            table: table.name.to_string(),
            column: column.name.clone(),
            data_type: column.data_type.to_string(),
        });
    }
    let Some(fields) = column.data_type.fields() else {
        return Ok(());
    };
    let size = column.data_type.to_string().len();
    count("bytes of a column's type", size, COLUMN_TYPE_SIZE_MAX)?;
    let mut names = BTreeSet::new();
    for field in fields {
        name(&field.name)?;
        names.insert(&field.name);
    }
    if fields.is_empty() || names.len() < fields.len() {
        return Err(SchemaError::Fields {
            table: table.name.to_string(),
            column: column.name.clone(),
        });
    }
    Ok(())
}

/// Refuses a decoded table that no sequence of changes leads to.
pub(super) fn decoded(value: &Table) -> Result<(), SchemaError> {
    table(value)?;
    let live: Vec<_> = value.columns.iter().map(|column| column.id).collect();
    let dropped: Vec<_> = value
        .dropped
        .iter()
        .map(|dropped| dropped.column.id)
        .collect();
    let ids_ascend = live.is_sorted_by(|a, b| a < b) && dropped.is_sorted_by(|a, b| a < b);
    let below_next = |ids: &[_]| ids.last().is_none_or(|id| *id < value.next_column);
    let same_name = value.dropped.iter().all(|dropped| {
        let live_again = value.column(dropped.column.id);
        let named = value.column_named(&dropped.column.name);
        live_again == named && live_again.is_none_or(|column| *column == dropped.column)
    });
    let no_key_dropped = value
        .dropped
        .iter()
        .all(|dropped| !dropped.column.kind.is_key());
    if ids_ascend && below_next(&live) && below_next(&dropped) && same_name && no_key_dropped {
        return Ok(());
    }
    let cause = format!(
        "the column ids of table {} contradict each other",
        value.name
    );
    Err(SchemaError::Encoding { cause })
}

/// Refuses what is no name: `a-z`, then `a-z`, `0-9`, `_`.
fn name(name: &str) -> Result<(), SchemaError> {
    let first = name
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_lowercase());
    let rest = name
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if !first || !rest || name.len() > NAME_SIZE_MAX {
        return Err(SchemaError::InvalidName {
            name: name.to_owned(),
            size_max: NAME_SIZE_MAX,
        });
    }
    Ok(())
}
