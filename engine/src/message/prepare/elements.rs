//! Steps from values to the cells of a multi-cell column. What replaces the whole deletes all that is older
//! first: a complex deletion just before the write, so that what two writes of one timestamp put stays.

use super::ids::ListIds;
use super::times::Times;
use super::types::{check, check_element, field};
use crate::keys::{CollectionType, Value, field_path};
use crate::message::error::StatementError;
use crate::message::statement::ElementChange;
use crate::rows::{Cell, CellKey, CellPath, Row};
use crate::schema::Column;

/// Where the elements of one statement get their times and their ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<'a> {
    pub(super) times: Times,
    pub(super) ids: &'a ListIds,
}

impl Elements<'_> {
    /// The whole column becomes `value`, which is of its type; `None` is null.
    pub(super) fn replace(
        self,
        column: &Column,
        value: Option<&Value>,
    ) -> Result<Row, StatementError> {
        let Some(value) = value else {
            return Ok(Row {
                complex: vec![(column.id, self.times.deletion())],
                ..Row::default()
            });
        };
        Ok(Row {
            complex: vec![(column.id, self.times.deletion_before()?)],
            cells: self.put(column, value, false)?,
            ..Row::default()
        })
    }

    /// Some elements of the column change.
    pub(super) fn change(
        self,
        column: &Column,
        change: &ElementChange,
    ) -> Result<Row, StatementError> {
        let Some(collection) = column.data_type.multi_cell() else {
            return Err(StatementError::NoElements {
                column: column.name.clone(),
                data_type: column.data_type.clone(),
            });
        };
        let cells = match change {
            ElementChange::Add(value) => {
                check(column, value)?;
                self.put(column, value, true)?
            }
            ElementChange::Remove(keys) => self.remove(column, collection, keys)?,
        };
        Ok(Row {
            cells,
            ..Row::default()
        })
    }

    /// Cells of the elements of a value of the column's type. A null field has a cell only in an update.
    fn put(
        self,
        column: &Column,
        value: &Value,
        is_update: bool,
    ) -> Result<Vec<(CellKey, Cell)>, StatementError> {
        let cell = |path: &[u8], value| {
            let key = CellKey::element(column.id, CellPath::from(path));
            (key, self.times.cell(value))
        };
        let mut cells = Vec::new();
        match value {
            Value::Map(entries) => {
                for (key, value) in entries {
                    cells.push(cell(&key.to_path()?, Some(value.encode())));
                }
            }
            Value::Set(elements) => {
                for element in elements {
                    cells.push(cell(&element.to_path()?, Some(bytes::Bytes::new())));
                }
            }
            Value::List(elements) => {
                for element in elements {
                    let id = self.ids.next(self.times.timestamp());
                    cells.push(cell(&id, Some(element.encode())));
                }
            }
            Value::Struct(fields) => {
                for (name, value) in fields {
                    let (number, _) = field(column, name)?;
                    if is_update || value.is_some() {
                        let value = value.as_ref().map(Value::encode);
                        cells.push(cell(&field_path(number), value));
                    }
                }
            }
            _ => unreachable!("the value was checked to be a collection"),
        }
        Ok(last_of_each(cells))
    }

    fn remove(
        self,
        column: &Column,
        collection: &CollectionType,
        keys: &[Value],
    ) -> Result<Vec<(CellKey, Cell)>, StatementError> {
        let (CollectionType::Map(key_type, _) | CollectionType::Set(key_type)) = collection else {
            return Err(StatementError::NoKeys {
                column: column.name.clone(),
                data_type: column.data_type.clone(),
            });
        };
        let mut cells = Vec::with_capacity(keys.len());
        for key in keys {
            check_element(column, *key_type, key)?;
            let path = CellPath::from(&key.to_path()?[..]);
            cells.push((CellKey::element(column.id, path), self.times.cell(None)));
        }
        Ok(last_of_each(cells))
    }
}

/// The cells in order; of those with one key the last that was given.
fn last_of_each(mut cells: Vec<(CellKey, Cell)>) -> Vec<(CellKey, Cell)> {
    cells.reverse();
    cells.sort_by(|(a, _), (b, _)| a.cmp(b));
    cells.dedup_by(|(later, _), (kept, _)| later == kept);
    cells
}
