//! Steps from a statement to what the engine executes: find the table; match names with columns and
//! check types; turn values into positions and cells. Nothing of a refused statement happens.

use std::collections::BTreeSet;

use super::error::StatementError;
use super::statement::{Edge, NamedValue, ReadStatement, WriteStatement, WriteTarget};
use crate::keys::{DecoratedKey, PartitionKey, Slice, Value};
use crate::limits::TTL_SECONDS_MAX;
use crate::read::{Columns, ReadCommand};
use crate::rows::{
    Cell, DeletionTime, Liveness, Mutation, NO_DELETION_SECONDS, Partition, RangeTombstone, Row,
    RowsError,
};
use crate::schema::{Column, ColumnKind, Schema, SchemaError, Table, TableName};

impl WriteStatement {
    /// The mutation that does what the statement says, at the wall second `now_seconds`. Its update is
    /// empty when the statement names no row that can be, as a range with crossed edges does.
    ///
    /// # Errors
    /// Why the statement does not fit the schema.
    pub fn prepare(&self, schema: &Schema, now_seconds: u32) -> Result<Mutation, StatementError> {
        let table = existing(schema, &self.table)?;
        let key = partition_key(table, &self.partition_key)?;
        let times = self.times(now_seconds)?;
        let mut update = Partition::default();
        match &self.target {
            WriteTarget::Insert { clustering, columns } => {
                let cells = cells(table, columns, times)?;
                let marker = (!clustering.is_empty() || table.clustering().next().is_none())
                    .then(|| times.marker());
                put(table, &mut update, clustering, marker, cells)?;
            }
            WriteTarget::Update { clustering, columns } => {
                let cells = cells(table, columns, times)?;
                check_row_is_changed(clustering, &cells)?;
                put(table, &mut update, clustering, None, cells)?;
            }
            WriteTarget::DeleteCells { clustering, columns } => {
                let nulls: Vec<_> = columns.iter().map(|name| (name.clone(), None)).collect();
                let cells = cells(table, &nulls, times)?;
                check_row_is_changed(clustering, &cells)?;
                put(table, &mut update, clustering, None, cells)?;
            }
            WriteTarget::DeleteRow { clustering } => {
                let values = all_key_values(table, table.clustering(), clustering)?;
                let position = table.clustering_shape().clustering(&values)?;
                let deletion = Some(times.deletion());
                update.apply_row(position, Row { deletion, ..Row::default() });
            }
            WriteTarget::DeleteRange { lower, upper } => {
                if lower.is_none() && upper.is_none() {
                    return Err(StatementError::NoEdge);
                }
                let Slice { start, end } = slice(table, lower.as_ref(), upper.as_ref())?;
                update.delete_range(&RangeTombstone { start, end, deletion: times.deletion() });
            }
            WriteTarget::DeletePartition => {
                update.delete(times.deletion());
            }
        }
        Ok(Mutation { table: table.id, key, update })
    }

    fn times(&self, now_seconds: u32) -> Result<Times, StatementError> {
        if self.timestamp == i64::MIN {
            return Err(RowsError::ReservedTimestamp.into());
        }
        let ttl_seconds = self.ttl_seconds.unwrap_or(0);
        let writes_values =
            matches!(self.target, WriteTarget::Insert { .. } | WriteTarget::Update { .. });
        if self.ttl_seconds.is_some() && !writes_values {
            return Err(StatementError::DeletionTtl);
        }
        if ttl_seconds > TTL_SECONDS_MAX {
            return Err(StatementError::TtlTooLong {
                ttl_seconds,
                ttl_seconds_max: TTL_SECONDS_MAX,
            });
        }
        let expiry = now_seconds.checked_add(ttl_seconds);
        let Some(expiry_seconds) = expiry.filter(|expiry| *expiry < NO_DELETION_SECONDS) else {
            return Err(StatementError::ExpiryTooLate { ttl_seconds, now_seconds });
        };
        Ok(Times { timestamp: self.timestamp, ttl_seconds, now_seconds, expiry_seconds })
    }
}

impl ReadStatement {
    /// The command that does what the statement says, as of the wall second `now_seconds`.
    ///
    /// # Errors
    /// Why the statement does not fit the schema.
    pub fn prepare(&self, schema: &Schema, now_seconds: u32) -> Result<ReadCommand, StatementError> {
        let table = existing(schema, &self.table)?;
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
            limit: self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            columns,
            now_seconds,
        })
    }

    fn is_reversed(&self, table: &Table) -> Result<bool, StatementError> {
        let Some(order_by) = &self.order_by else {
            return Ok(false);
        };
        match table.clustering().next() {
            Some(Column { name, kind: ColumnKind::Clustering(order), .. })
                if *name == order_by.column =>
            {
                Ok(*order != order_by.order)
            }
            _ => Err(StatementError::OrderBy { column: order_by.column.clone() }),
        }
    }
}

/// The times that everything in one write has.
#[derive(Clone, Copy)]
struct Times {
    timestamp: i64,
    /// 0 for none.
    ttl_seconds: u32,
    now_seconds: u32,
    expiry_seconds: u32,
}

impl Times {
    fn marker(self) -> Liveness {
        match self.ttl_seconds {
            0 => Liveness::plain(self.timestamp),
            ttl_seconds => Liveness::expiring(self.timestamp, ttl_seconds, self.expiry_seconds),
        }
    }

    fn cell(self, value: Option<&Value>) -> Cell {
        match (value, self.ttl_seconds) {
            (None, _) => Cell::tombstone(self.timestamp, self.now_seconds),
            (Some(value), 0) => Cell::plain(self.timestamp, value.encode()),
            (Some(value), ttl_seconds) => {
                Cell::expiring(self.timestamp, ttl_seconds, self.expiry_seconds, value.encode())
            }
        }
    }

    const fn deletion(self) -> DeletionTime {
        let Times { timestamp, now_seconds, .. } = self;
        DeletionTime { timestamp, local_deletion_seconds: now_seconds }
    }
}

/// Cells of the static row, and of a row.
struct Cells<'a> {
    statics: Row,
    regulars: Row,
    /// A regular column among them.
    regular: Option<&'a Column>,
}

fn existing<'a>(schema: &'a Schema, name: &TableName) -> Result<&'a Table, StatementError> {
    match schema.table_named(name) {
        Some(table) => Ok(table),
        None => Err(SchemaError::UnknownTable { table: name.to_string() }.into()),
    }
}

fn partition_key(table: &Table, given: &[NamedValue]) -> Result<DecoratedKey, StatementError> {
    let values = all_key_values(table, table.partition_key(), given)?;
    let key = PartitionKey::from_values(&table.partition_key_types(), &values)?;
    Ok(DecoratedKey::new(key))
}

fn all_key_values<'a>(
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
fn key_values(
    table: &Table,
    columns: &[&Column],
    given: &[NamedValue],
) -> Result<Vec<Value>, StatementError> {
    for (name, _) in given {
        named(table, name)?;
    }
    let in_order = columns.iter().zip(given).all(|(column, (name, _))| column.name == *name);
    if !in_order || given.len() > columns.len() {
        return Err(key_columns(table, columns, given));
    }
    for (column, (_, value)) in columns.iter().zip(given) {
        check_type(column, value)?;
    }
    Ok(given.iter().map(|(_, value)| value.clone()).collect())
}

fn key_columns(table: &Table, expected: &[&Column], given: &[NamedValue]) -> StatementError {
    let expected: Vec<&str> = expected.iter().map(|column| &column.name[..]).collect();
    let got: Vec<&str> = given.iter().map(|(name, _)| &name[..]).collect();
    let (table, expected, got) = (table.name.to_string(), expected.join(", "), got.join(", "));
    StatementError::KeyColumns { table, expected, got }
}

fn named<'a>(table: &'a Table, name: &str) -> Result<&'a Column, StatementError> {
    match table.column_named(name) {
        Some(column) => Ok(column),
        None => {
            let (table, column) = (table.name.to_string(), name.to_owned());
            Err(SchemaError::UnknownColumn { table, column }.into())
        }
    }
}

fn check_type(column: &Column, value: &Value) -> Result<(), StatementError> {
    let (expected, got) = (column.data_type, value.data_type());
    if expected != got {
        return Err(StatementError::ValueType { column: column.name.clone(), expected, got });
    }
    Ok(())
}

/// Columns that have cells, each named once.
fn distinct_cell_columns<'a, 'n>(
    table: &'a Table,
    names: impl Iterator<Item = &'n String>,
) -> Result<Vec<&'a Column>, StatementError> {
    let mut seen = BTreeSet::new();
    let column = |name: &'n String| {
        let column = named(table, name)?;
        if column.kind.is_key() {
            return Err(StatementError::KeyColumn { column: name.clone() });
        }
        if !seen.insert(name) {
            return Err(StatementError::ColumnTwice { column: name.clone() });
        }
        Ok(column)
    };
    names.map(column).collect()
}

fn cells<'a>(
    table: &'a Table,
    given: &[(String, Option<Value>)],
    times: Times,
) -> Result<Cells<'a>, StatementError> {
    let columns = distinct_cell_columns(table, given.iter().map(|(name, _)| name))?;
    let mut cells = Cells { statics: Row::default(), regulars: Row::default(), regular: None };
    for (column, (_, value)) in columns.into_iter().zip(given) {
        value.as_ref().map_or(Ok(()), |value| check_type(column, value))?;
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
fn check_row_is_changed(clustering: &[NamedValue], cells: &Cells<'_>) -> Result<(), StatementError> {
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
    let row = Row { liveness: marker, ..cells.regulars };
    let statics_alone = clustering.is_empty() && table.clustering().next().is_some();
    if statics_alone {
        if let Some(column) = cells.regular {
            return Err(StatementError::RowMissing { column: column.name.clone() });
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

fn slice(
    table: &Table,
    lower: Option<&Edge>,
    upper: Option<&Edge>,
) -> Result<Slice, StatementError> {
    let columns: Vec<&Column> = table.clustering().collect();
    let values = |edge: Option<&Edge>| match edge {
        None => Ok(None),
        Some(edge) if edge.values.is_empty() => Err(StatementError::NoEdge),
        Some(edge) => Ok(Some((key_values(table, &columns, &edge.values)?, edge.inclusive))),
    };
    let (lower, upper) = (values(lower)?, values(upper)?);
    Ok(table.clustering_shape().slice(
        lower.as_ref().map(|(values, inclusive)| (&values[..], *inclusive)),
        upper.as_ref().map(|(values, inclusive)| (&values[..], *inclusive)),
    )?)
}
