//! Steps from a statement to a mutation: find the table; match names with columns and check types;
//! turn values into positions and cells. Nothing of a refused statement happens.

use super::columns::{all_key_values, check_type, distinct_cell_columns, partition_key, slice};
use super::times::Times;
use crate::keys::{Slice, Value};
use crate::message::error::StatementError;
use crate::message::statement::{NamedValue, WriteStatement, WriteTarget};
use crate::rows::{Liveness, Mutation, Partition, RangeTombstone, Row};
use crate::schema::{Column, ColumnKind, Schema, Table};

impl WriteStatement {
    /// The mutation that does what the statement says, at the wall second `now_seconds`. Its update is
    /// empty when the statement names no row that can be, as a range with crossed edges does.
    ///
    /// # Errors
    /// Why the statement does not fit the schema.
    pub fn prepare(&self, schema: &Schema, now_seconds: u32) -> Result<Mutation, StatementError> {
        let table: &Table = schema.existing(&self.table)?;
        let key = partition_key(table, &self.partition_key)?;
        let times = Times::of(self, now_seconds)?;
        let mut update = Partition::default();
        match &self.target {
            WriteTarget::Insert {
                clustering,
                columns,
            } => {
                let cells = cells(table, columns, times)?;
                let marker = (!clustering.is_empty() || table.clustering().next().is_none())
                    .then(|| times.marker());
                put(table, &mut update, clustering, marker, cells)?;
            }
            WriteTarget::Update {
                clustering,
                columns,
            } => {
                let cells = cells(table, columns, times)?;
                check_row_is_changed(clustering, &cells)?;
                put(table, &mut update, clustering, None, cells)?;
            }
            WriteTarget::DeleteCells {
                clustering,
                columns,
            } => {
                let nulls: Vec<_> = columns.iter().map(|name| (name.clone(), None)).collect();
                let cells = cells(table, &nulls, times)?;
                check_row_is_changed(clustering, &cells)?;
                put(table, &mut update, clustering, None, cells)?;
            }
            WriteTarget::DeleteRow { clustering } => {
                let values = all_key_values(table, table.clustering(), clustering)?;
                let position = table.clustering_shape().clustering(&values)?;
                let deletion = Some(times.deletion());
                update.apply_row(
                    position,
                    Row {
                        deletion,
                        ..Row::default()
                    },
                );
            }
            WriteTarget::DeleteRange { lower, upper } => {
                if lower.is_none() && upper.is_none() {
                    return Err(StatementError::NoEdge);
                }
                let Slice { start, end } = slice(table, lower.as_ref(), upper.as_ref())?;
                update.delete_range(&RangeTombstone {
                    start,
                    end,
                    deletion: times.deletion(),
                });
            }
            WriteTarget::DeletePartition => {
                update.delete(times.deletion());
            }
        }
        Ok(Mutation {
            table: table.id,
            key,
            update,
        })
    }
}

/// Cells of the static row, and of a row.
struct Cells<'a> {
    statics: Row,
    regulars: Row,
    /// A regular column among them.
    regular: Option<&'a Column>,
}

fn cells<'a>(
    table: &'a Table,
    given: &[(String, Option<Value>)],
    times: Times,
) -> Result<Cells<'a>, StatementError> {
    let columns = distinct_cell_columns(table, given.iter().map(|(name, _)| name))?;
    let mut cells = Cells {
        statics: Row::default(),
        regulars: Row::default(),
        regular: None,
    };
    for (column, (_, value)) in columns.into_iter().zip(given) {
        value
            .as_ref()
            .map_or(Ok(()), |value| check_type(column, value))?;
        let cell = times.cell(value.as_ref());
        if column.kind == ColumnKind::Static {
            cells.statics.put(column.id, cell);
        } else {
            cells.regulars.put(column.id, cell);
            cells.regular = Some(column);
        }
    }
    Ok(cells)
}

/// An UPDATE or DELETE of columns changes at least one, and one of the row when it names a row.
fn check_row_is_changed(
    clustering: &[NamedValue],
    cells: &Cells<'_>,
) -> Result<(), StatementError> {
    if cells.statics.is_empty() && cells.regulars.is_empty() {
        return Err(StatementError::NoColumns);
    }
    if !clustering.is_empty() && cells.regular.is_none() {
        return Err(StatementError::RowNotChanged);
    }
    Ok(())
}

fn put(
    table: &Table,
    update: &mut Partition,
    clustering: &[NamedValue],
    marker: Option<Liveness>,
    cells: Cells<'_>,
) -> Result<(), StatementError> {
    let row = Row {
        liveness: marker,
        ..cells.regulars
    };
    let statics_alone = clustering.is_empty() && table.clustering().next().is_some();
    if statics_alone {
        if let Some(column) = cells.regular {
            return Err(StatementError::RowMissing {
                column: column.name.clone(),
            });
        }
        if cells.statics.is_empty() {
            return Err(StatementError::NoColumns);
        }
    } else {
        let values = all_key_values(table, table.clustering(), clustering)?;
        update.apply_row(table.clustering_shape().clustering(&values)?, row);
    }
    update.apply_static(cells.statics);
    Ok(())
}
