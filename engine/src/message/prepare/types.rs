//! Invariants of types: a value is what its column is, down to every element.

use crate::keys::{CollectionType, ColumnType, DataType, Value, ValueKind};
use crate::message::error::StatementError;
use crate::schema::Column;

/// Refuses a value that is none of the column's type.
pub(super) fn check(column: &Column, value: &Value) -> Result<(), StatementError> {
    match &column.data_type {
        ColumnType::Scalar(expected) if value.data_type() == Some(*expected) => Ok(()),
        ColumnType::Scalar(_) => Err(mismatch(column, value)),
        ColumnType::MultiCell(collection) | ColumnType::Frozen(collection) => {
            check_collection(column, collection, value)
        }
    }
}

fn check_collection(
    column: &Column,
    collection: &CollectionType,
    value: &Value,
) -> Result<(), StatementError> {
    match (collection, value) {
        (CollectionType::Map(key_type, value_type), Value::Map(entries)) => {
            entries.iter().try_for_each(|(key, value)| {
                check_element(column, *key_type, key)?;
                check_element(column, *value_type, value)
            })
        }
        (CollectionType::Set(data_type), Value::Set(elements))
        | (CollectionType::List(data_type), Value::List(elements)) => elements
            .iter()
            .try_for_each(|element| check_element(column, *data_type, element)),
        (CollectionType::Struct(_), Value::Struct(values)) => {
            values.iter().try_for_each(|(name, value)| {
                let (_, data_type) = field(column, name)?;
                value
                    .as_ref()
                    .map_or(Ok(()), |value| check_element(column, data_type, value))
            })
        }
        _ => Err(mismatch(column, value)),
    }
}

/// Refuses an element, or a key of one, that is none of the type.
pub(super) fn check_element(
    column: &Column,
    expected: DataType,
    value: &Value,
) -> Result<(), StatementError> {
    let got = value.kind();
    if got == ValueKind::Scalar(expected) {
        return Ok(());
    }
    Err(StatementError::ElementType {
        column: column.name.clone(),
        expected,
        got,
    })
}

/// Number and type of a field of the column's struct.
pub(super) fn field(column: &Column, name: &str) -> Result<(usize, DataType), StatementError> {
    let fields = column.data_type.fields().unwrap_or(&[]);
    match fields.iter().position(|field| field.name == name) {
        Some(number) => Ok((number, fields[number].data_type)),
        None => Err(StatementError::UnknownField {
            column: column.name.clone(),
            field: name.to_owned(),
        }),
    }
}

fn mismatch(column: &Column, value: &Value) -> StatementError {
    StatementError::ValueType {
        column: column.name.clone(),
        expected: column.data_type.clone(),
        got: value.kind(),
    }
}
