//! Invariants of columns in a read: cells of a dropped column do not show, whichever source had them.
//!
//! A cell or a complex deletion is hidden when its write time is not above the time its column was dropped, even if the
//! column is there again, and when its column is not there now.

use bytes::Bytes;

use crate::error;
use crate::keys::{CollectionType, ColumnType, Field, KeyError, Value, field_of_path};
use crate::rows::{ColumnId, Partition, Row};
use crate::schema::{Column, Table};

/// Takes hidden cells away, and rows that consisted of them.
pub(super) fn hide_dropped(partition: &mut Partition, table: &Table) {
    hide(&mut partition.static_row, table);
    partition.rows.retain(|_, row| {
        hide(row, table);
        !row.is_empty()
    });
}

/// Takes hidden cells of one row away.
pub(super) fn hide(row: &mut Row, table: &Table) {
    let shows = |id, timestamp| table.column(id).is_some() && !table.is_dropped(id, timestamp);
    row.complex
        .retain(|(id, deletion)| shows(*id, deletion.timestamp));
    row.cells
        .retain(|(key, cell)| shows(key.column, cell.timestamp));
}

/// The live values of these columns in a row.
pub(super) fn values(
    columns: &[&Column],
    row: &Row,
    now_seconds: u32,
) -> error::Result<Vec<(ColumnId, Option<Value>)>> {
    let value = |column: &&Column| Ok((column.id, value(column, row, now_seconds)?));
    columns.iter().map(value).collect()
}

fn value(column: &Column, row: &Row, now_seconds: u32) -> Result<Option<Value>, KeyError> {
    let cell = || row.cell(column.id).filter(|cell| cell.is_live(now_seconds));
    match &column.data_type {
        ColumnType::Scalar(data_type) => cell()
            .map(|cell| Value::decode(*data_type, &cell.value))
            .transpose(),
        ColumnType::Frozen(collection) => cell()
            .map(|cell| collection.decode(&cell.value))
            .transpose(),
        ColumnType::MultiCell(collection) => elements(collection, column, row, now_seconds),
    }
}

/// The live elements of a multi-cell column in path order; none at all is null.
fn elements(
    collection: &CollectionType,
    column: &Column,
    row: &Row,
    now_seconds: u32,
) -> Result<Option<Value>, KeyError> {
    let cells = row.elements(column.id).iter();
    let live: Vec<(&[u8], &Bytes)> = cells
        .filter(|(_, cell)| cell.is_live(now_seconds))
        .filter_map(|(key, cell)| Some((key.path.as_ref()?.as_bytes(), &cell.value)))
        .collect();
    if live.is_empty() {
        return Ok(None);
    }
    let live = live.into_iter();
    Ok(Some(match collection {
        CollectionType::Map(key_type, value_type) => {
            let entry = |(path, value)| {
                let key = Value::of_path(*key_type, path)?;
                Ok((key, Value::decode(*value_type, value)?))
            };
            Value::Map(live.map(entry).collect::<Result<_, KeyError>>()?)
        }
        CollectionType::Set(data_type) => {
            let element = |(path, _)| Value::of_path(*data_type, path);
            Value::Set(live.map(element).collect::<Result<_, KeyError>>()?)
        }
        CollectionType::List(data_type) => {
            let element = |(_, value)| Value::decode(*data_type, value);
            Value::List(live.map(element).collect::<Result<_, KeyError>>()?)
        }
        CollectionType::Struct(fields) => fields_of(fields, live)?,
    }))
}

/// All fields in their order; those without a live cell are null.
fn fields_of<'a>(
    fields: &[Field],
    live: impl Iterator<Item = (&'a [u8], &'a Bytes)>,
) -> Result<Value, KeyError> {
    let mut values: Vec<_> = fields
        .iter()
        .map(|field| (field.name.clone(), None))
        .collect();
    for (path, value) in live {
        let number = field_of_path(path)?;
        let (Some(field), Some(place)) = (fields.get(number), values.get_mut(number)) else {
            return Err(KeyError::Malformed {
                offset: 0,
                cause: "not a field of the struct",
            });
        };
        place.1 = Some(Value::decode(field.data_type, value)?);
    }
    Ok(Value::Struct(values))
}
