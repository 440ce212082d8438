//! Steps from a statement to a read command.

use super::columns::{distinct_cell_columns, partition_key, readable, slice};
use crate::message::error::StatementError;
use crate::message::statement::ReadStatement;
use crate::read::{Columns, ReadCommand};
use crate::schema::{Column, ColumnKind, Schema, Table};

impl ReadStatement {
    /// The command that does what the statement says, as of the wall second `now_seconds`.
    ///
    /// # Errors
    /// Why the statement does not fit the schema.
    pub fn prepare(
        &self,
        schema: &Schema,
        now_seconds: u32,
    ) -> Result<ReadCommand, StatementError> {
        let table = readable(schema, &self.table)?;
        let key = partition_key(table, &self.partition_key)?;
        let columns = match &self.columns {
            None => Columns::All,
            Some(names) => {
                let columns = distinct_cell_columns(table, names.iter())?;
                Columns::Ids(columns.into_iter().map(|column| column.id).collect())
            }
        };
        if self.limit == Some(0) {
            return Err(StatementError::LimitZero);
        }
        Ok(ReadCommand {
            table: table.id,
            key,
            slice: slice(table, self.lower.as_ref(), self.upper.as_ref())?,
            reversed: self.is_reversed(table)?,
            limit: self
                .limit
                .map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            columns,
            now_seconds,
        })
    }

    fn is_reversed(&self, table: &Table) -> Result<bool, StatementError> {
        let Some(order_by) = &self.order_by else {
            return Ok(false);
        };
        match table.clustering().next() {
            Some(Column {
                name,
                kind: ColumnKind::Clustering(order),
                ..
            }) if *name == order_by.column => Ok(*order != order_by.order),
            _ => Err(StatementError::OrderBy {
                column: order_by.column.clone(),
            }),
        }
    }
}
