//! Steps to fewer elements: columns that a statement does not name, then collections, changes and
//! deletions each without one of their elements.

use crate::plan::{Change, Collection, Column, Operation, Scalar, Value};

/// Takes a column away from a write, with all that it says of it.
pub(super) fn drop_cell(operation: &mut Operation, column: Column) {
    match operation {
        Operation::Insert { cells, .. } => {
            cells.remove(&column);
        }
        Operation::Update {
            cells, elements, ..
        } => {
            cells.remove(&column);
            elements.remove(&column);
        }
        Operation::DeleteCells {
            columns, elements, ..
        } => {
            columns.remove(&column);
            elements.remove(&column);
        }
        _ => {}
    }
}

/// The write without one element, the last ones first. A change or a deletion of elements keeps one.
pub(super) fn fewer_elements(operation: &Operation) -> Vec<Operation> {
    let mut ways = Vec::new();
    for column in operation.columns() {
        for index in (0..count(operation, column)).rev() {
            let mut way = operation.clone();
            drop_element(&mut way, column, index);
            ways.push(way);
        }
    }
    ways
}

/// How many elements of a column can go.
fn count(operation: &Operation, column: Column) -> usize {
    let of_value = |value: Option<&Value>| {
        let collection = value.and_then(Value::collection);
        collection.map_or(0, size)
    };
    let of_change = |change: &Change| match change {
        Change::Add(collection) => size(collection),
        Change::Remove(keys) => keys.len(),
        Change::Fields(fields) => fields.len(),
    };
    // Without its last element a change is none.
    let but_last = |count: usize| if count > 1 { count } else { 0 };
    match operation {
        Operation::Insert { cells, .. } => of_value(cells.get(&column)),
        Operation::Update {
            cells, elements, ..
        } => match elements.get(&column) {
            Some(change) => but_last(of_change(change)),
            None => of_value(cells.get(&column)),
        },
        Operation::DeleteCells { elements, .. } => {
            but_last(elements.get(&column).map_or(0, Vec::len))
        }
        _ => 0,
    }
}

fn size(collection: &Collection) -> usize {
    match collection {
        Collection::Map(entries) => entries.len(),
        Collection::Set(elements) | Collection::List(elements) => elements.len(),
        Collection::Struct(fields) => fields.len(),
    }
}

fn drop_element(operation: &mut Operation, column: Column, index: usize) {
    let of_value = |value: Option<&mut Value>| match value {
        Some(Value::Many(collection) | Value::Frozen(collection)) => without(collection, index),
        Some(Value::Scalar(_)) | None => {}
    };
    match operation {
        Operation::Insert { cells, .. } => of_value(cells.get_mut(&column)),
        Operation::Update {
            cells, elements, ..
        } => match elements.get_mut(&column) {
            Some(Change::Add(collection)) => without(collection, index),
            Some(Change::Remove(keys)) => drop_key(keys, index),
            Some(Change::Fields(fields)) => {
                let field = fields.keys().nth(index).copied();
                field.map(|field| fields.remove(&field));
            }
            None => of_value(cells.get_mut(&column)),
        },
        Operation::DeleteCells { elements, .. } => {
            if let Some(keys) = elements.get_mut(&column) {
                drop_key(keys, index);
            }
        }
        _ => {}
    }
}

fn drop_key(keys: &mut Vec<Scalar>, index: usize) {
    keys.remove(index);
}

fn without(collection: &mut Collection, index: usize) {
    match collection {
        Collection::Map(entries) => drop(entries.remove(index)),
        Collection::Set(elements) | Collection::List(elements) => drop_key(elements, index),
        Collection::Struct(fields) => {
            let field = fields.keys().nth(index).copied();
            field.map(|field| fields.remove(&field));
        }
    }
}
