//! Steps from a statement to a mutation: find the table; match names with columns and check types;
//! turn values into positions and cells. Nothing of a refused statement happens.

use super::columns::{all_key_values, distinct_cell_columns, named, partition_key, slice};
use super::elements::Elements;
use super::ids::ListIds;
use super::times::Times;
use super::types::check;
use crate::keys::{ColumnType, Slice, Text, Value};
use crate::message::error::StatementError;
use crate::message::statement::{ElementChange, NamedValue, WriteStatement, WriteTarget};
use crate::rows::{Liveness, Mutation, Partition, RangeTombstone, Row};
use crate::schema::{Column, ColumnKind, Schema, Table};

impl WriteStatement {
    /// The mutation that does what the statement says, at the wall second `now_seconds`. Its update is
    /// empty when the statement names no row that can be, as a range with crossed edges does, or no
    /// element. New list elements get the next ids.
    ///
    /// # Errors
    /// Why the statement does not fit the schema.
    pub fn prepare(
        &self,
        schema: &Schema,
        now_seconds: u32,
        ids: &ListIds,
    ) -> Result<Mutation, StatementError> {
        let table: &Table = schema.existing(&self.table)?;
        let key = partition_key(table, &self.partition_key)?;
        let times = Times::of(self, now_seconds)?;
        Ok(Mutation {
            table: table.id,
            key,
            update: update(&self.target, table, Elements { times, ids })?,
        })
    }
}

/// What a write changes in its partition.
fn update(
    target: &WriteTarget,
    table: &Table,
    source: Elements<'_>,
) -> Result<Partition, StatementError> {
    let mut update = Partition::default();
    match target {
        WriteTarget::Insert {
            clustering,
            columns,
        } => {
            let cells = cells(table, columns, source)?;
            let marker = (!clustering.is_empty() || table.clustering().next().is_none())
                .then(|| source.times.marker());
            put(table, &mut update, clustering, marker, cells)?;
        }
        WriteTarget::Update {
            clustering,
            columns,
            elements,
        } => {
            let mut cells = cells(table, columns, source)?;
            cells.change(table, columns, elements, source)?;
            check_row_is_changed(clustering, &cells)?;
            put(table, &mut update, clustering, None, cells)?;
        }
        WriteTarget::DeleteCells {
            clustering,
            columns,
        } => {
            let nulls: Vec<_> = columns.iter().map(|name| (name.clone(), None)).collect();
            let cells = cells(table, &nulls, source)?;
            check_row_is_changed(clustering, &cells)?;
            put(table, &mut update, clustering, None, cells)?;
        }
        WriteTarget::DeleteRow { clustering } => {
            let values = all_key_values(table, table.clustering(), clustering)?;
            let position = table.clustering_shape().clustering(&values)?;
            let deletion = Some(source.times.deletion());
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
                deletion: source.times.deletion(),
            });
        }
        WriteTarget::DeletePartition => {
            update.delete(source.times.deletion());
        }
    }
    Ok(update)
}

/// Cells of the static row, and of a row.
#[derive(Default)]
struct Cells<'a> {
    statics: Row,
    regulars: Row,
    /// How many columns are named.
    named_count: usize,
    /// A regular column among them.
    regular: Option<&'a Column>,
}

impl<'a> Cells<'a> {
    /// Takes what is written to a column.
    fn add(&mut self, column: &'a Column, written: Row) {
        self.named_count += 1;
        if column.kind == ColumnKind::Static {
            self.statics.apply(written);
        } else {
            self.regulars.apply(written);
            self.regular = Some(column);
        }
    }

    /// Takes what is written to elements of columns, none of which is set whole.
    fn change(
        &mut self,
        table: &'a Table,
        whole: &[(Text, Option<Value>)],
        elements: &[(Text, ElementChange)],
        source: Elements<'_>,
    ) -> Result<(), StatementError> {
        for (name, change) in elements {
            let column = named(table, name)?;
            if column.kind.is_key() {
                return Err(StatementError::KeyColumn {
                    column: name.clone(),
                });
            }
            if whole.iter().any(|(other, _)| other == name) {
                return Err(StatementError::ColumnTwice {
                    column: name.clone(),
                });
            }
            self.add(column, source.change(column, change)?);
        }
        Ok(())
    }
}

fn cells<'a>(
    table: &'a Table,
    given: &[(Text, Option<Value>)],
    source: Elements<'_>,
) -> Result<Cells<'a>, StatementError> {
    let columns = distinct_cell_columns(table, given.iter().map(|(name, _)| name))?;
    let mut cells = Cells::default();
    for (column, (_, value)) in columns.into_iter().zip(given) {
        let value = value.as_ref();
        value.map_or(Ok(()), |value| check(column, value))?;
        let one_cell = |value| Row {
            cells: vec![(column.id.into(), source.times.cell(value))],
            ..Row::default()
        };
        let written = match &column.data_type {
            ColumnType::Scalar(_) => one_cell(value.map(Value::encode)),
            ColumnType::Frozen(collection) => one_cell(value.map(|value| collection.encode(value))),
            ColumnType::MultiCell(_) => source.replace(column, value)?,
        };
        cells.add(column, written);
    }
    Ok(cells)
}

/// An UPDATE or DELETE of columns changes at least one, and one of the row when it names a row.
fn check_row_is_changed(
    clustering: &[NamedValue],
    cells: &Cells<'_>,
) -> Result<(), StatementError> {
    if cells.named_count == 0 {
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
        if cells.named_count == 0 {
            return Err(StatementError::NoColumns);
        }
    } else {
        let values = all_key_values(table, table.clustering(), clustering)?;
        update.apply_row(table.clustering_shape().clustering(&values)?, row);
    }
    update.apply_static(cells.statics);
    Ok(())
}
