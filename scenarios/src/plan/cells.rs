//! Invariants of what columns hold, whatever their tables are: types of which every written value can be
//! unique, no value too large, keys in their order and each once.

use super::bounds;
use super::column_type::{CollectionType, ColumnType};
use super::scalar::Scalar;
use super::shape::{Column, ScalarType};
use super::validate::within;
use super::value::{Change, Collection, Value};

/// Whether a column may have this type.
pub(super) fn check_type(column_type: ColumnType) -> Result<(), String> {
    let (ColumnType::Many(collection) | ColumnType::Frozen(collection)) = column_type else {
        let ColumnType::Scalar(scalar_type) = column_type else {
            return Ok(());
        };
        return check_unique(scalar_type, "a cell");
    };
    match collection {
        CollectionType::Map(_, value_type) => check_unique(value_type, "a value of a map"),
        CollectionType::Set(_) => Ok(()),
        CollectionType::List(element_type) => check_unique(element_type, "an element of a list"),
        CollectionType::Struct(first, second) => {
            check_unique(first, "a field")?;
            check_unique(second, "a field")
        }
    }
}

fn check_unique(scalar_type: ScalarType, what: &str) -> Result<(), String> {
    match scalar_type {
        ScalarType::BigInt | ScalarType::Text | ScalarType::Blob => Ok(()),
        // 32 bits are too few to give every write a value of its own.
        ScalarType::Int => Err(format!("{what} is bigint, text or blob")),
    }
}

/// Whether there may be such a column.
pub(super) fn check_column(column: Column) -> Result<(), String> {
    match column {
        Column::Static(index) => within(&(usize::from(index) + 1), &bounds::STATICS_COUNT)
            .map_err(|_| format!("there is no column {column}")),
        Column::Regular(index) => within(&index, &bounds::REGULAR_INDEX),
    }
}

/// Whether any column may be set to this.
pub(super) fn check_value(column: Column, value: &Value) -> Result<(), String> {
    match value {
        Value::Scalar(value) => check_size(value),
        Value::Many(collection) | Value::Frozen(collection) => check_collection(column, collection),
    }
}

/// Whether any column may be changed so.
pub(super) fn check_change(column: Column, change: &Change) -> Result<(), String> {
    if change.is_empty() {
        return Err(format!("nothing of {column} changes"));
    }
    match change {
        Change::Add(collection) => check_collection(column, collection),
        Change::Remove(keys) => check_keys(column, keys),
        Change::Fields(_) => check_total(&change.scalars()),
    }
}

/// Whether elements may be deleted by these keys.
pub(super) fn check_keys(column: Column, keys: &[Scalar]) -> Result<(), String> {
    if keys.is_empty() {
        return Err(format!("nothing of {column} is deleted"));
    }
    check_ascend(column, keys.iter())?;
    keys.iter().try_for_each(check_key)?;
    check_total(&keys.iter().collect::<Vec<_>>())
}

fn check_collection(column: Column, collection: &Collection) -> Result<(), String> {
    match collection {
        Collection::Map(entries) => {
            let keys = || entries.iter().map(|(key, _)| key);
            check_ascend(column, keys())?;
            keys().try_for_each(check_key)?;
        }
        Collection::Set(elements) => {
            check_ascend(column, elements.iter())?;
            elements.iter().try_for_each(check_key)?;
        }
        Collection::List(_) | Collection::Struct(_) => {}
    }
    check_total(&collection.scalars())
}

fn check_ascend<'a>(column: Column, keys: impl Iterator<Item = &'a Scalar>) -> Result<(), String> {
    match keys.is_sorted_by(|left, right| left < right) {
        true => Ok(()),
        false => Err(format!("keys of {column} do not ascend, each once")),
    }
}

fn check_key(key: &Scalar) -> Result<(), String> {
    check_size_max(size(key), bounds::ELEMENT_KEY_SIZE_MAX, "a key")
}

/// All values of a collection together are no larger than one value.
fn check_total(values: &[&Scalar]) -> Result<(), String> {
    within(&values.len(), &(0..=bounds::ELEMENTS_MAX))?;
    let total = values.iter().map(|value| size(value)).sum();
    check_size_max(total, bounds::VALUE_SIZE_MAX, "a value")
}

/// Whether a value may be so large.
pub(super) fn check_size(value: &Scalar) -> Result<(), String> {
    check_size_max(size(value), bounds::VALUE_SIZE_MAX, "a value")
}

fn check_size_max(size: usize, size_max: usize, what: &str) -> Result<(), String> {
    match size <= size_max {
        true => Ok(()),
        false => Err(format!(
            "{what} of {size} bytes, the largest has {size_max}"
        )),
    }
}

fn size(value: &Scalar) -> usize {
    match value {
        Scalar::Integer(_) => size_of::<i64>(),
        Scalar::Text(text) => text.len(),
        Scalar::Blob(bytes) => bytes.len(),
    }
}
