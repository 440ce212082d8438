//! Vocabulary of columns with many cells: a map `v0`, a set `v1`, a list `v2`, a struct `v3`, a frozen
//! map `v4` and a static map `s0`, all of row 1 where they have a row.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph::history::{Element, PartitionSeen, RowSeen, StoneOf};
use cenotaph::plan::{
    Change, Collection, CollectionType, Column, ColumnType, Field, Operation, Scalar, ScalarType,
    Shape, Value,
};

use super::ops::{S0, T0, V0, V1, V2, key, text};

pub(crate) const M: Column = V0;
pub(crate) const E: Column = V1;
pub(crate) const L: Column = V2;
pub(crate) const U: Column = Column::Regular(3);
pub(crate) const F: Column = Column::Regular(4);
pub(crate) const N: Column = S0;

const MAP: CollectionType = CollectionType::Map(ScalarType::Text, ScalarType::Text);

/// The table of these columns.
pub(crate) fn shape() -> Shape {
    Shape {
        statics: vec![ColumnType::Many(MAP)],
        regulars: vec![
            ColumnType::Many(MAP),
            ColumnType::Many(CollectionType::Set(ScalarType::Text)),
            ColumnType::Many(CollectionType::List(ScalarType::Text)),
            ColumnType::Many(CollectionType::Struct(ScalarType::Text, ScalarType::Text)),
            ColumnType::Frozen(MAP),
        ],
        ..super::ops::shape()
    }
}

pub(crate) fn create(gc_grace_seconds: u32) -> Operation {
    let shape = Shape {
        gc_grace_seconds: Some(gc_grace_seconds),
        ..shape()
    };
    Operation::CreateTable { table: T0, shape }
}

pub(crate) fn map(entries: &[(&str, &str)]) -> Collection {
    let entry = |(key, value): &(&str, &str)| (text(key), text(value));
    Collection::Map(entries.iter().map(entry).collect())
}

pub(crate) fn set(elements: &[&str]) -> Collection {
    Collection::Set(texts(elements))
}

pub(crate) fn list(elements: &[&str]) -> Collection {
    Collection::List(texts(elements))
}

pub(crate) fn fields(of: &[(u8, &str)]) -> Collection {
    let field = |(number, value): &(u8, &str)| (Field(*number), text(value));
    Collection::Struct(of.iter().map(field).collect())
}

fn texts(of: &[&str]) -> Vec<Scalar> {
    of.iter().map(|value| text(value)).collect()
}

/// A static column is changed without a row.
fn row_of(column: Column) -> Option<Vec<Scalar>> {
    matches!(column, Column::Regular(_)).then(|| key(1))
}

fn update(
    column: Column,
    cells: BTreeMap<Column, Value>,
    elements: BTreeMap<Column, Change>,
    timestamp: i64,
) -> Operation {
    Operation::Update {
        table: T0,
        partition: 0,
        row: row_of(column),
        cells,
        elements,
        timestamp,
        ttl_seconds: None,
    }
}

/// Sets the column whole.
pub(crate) fn whole(column: Column, of: Collection, timestamp: i64) -> Operation {
    let value = match column {
        F => Value::Frozen(of),
        _ => Value::Many(of),
    };
    update(column, [(column, value)].into(), BTreeMap::new(), timestamp)
}

pub(crate) fn change(column: Column, change: Change, timestamp: i64) -> Operation {
    update(
        column,
        BTreeMap::new(),
        [(column, change)].into(),
        timestamp,
    )
}

pub(crate) fn add(column: Column, of: Collection, timestamp: i64) -> Operation {
    change(column, Change::Add(of), timestamp)
}

pub(crate) fn remove(column: Column, keys: &[&str], timestamp: i64) -> Operation {
    change(column, Change::Remove(texts(keys)), timestamp)
}

/// Sets one field of the struct, or deletes it.
pub(crate) fn field(number: u8, value: Option<&str>, timestamp: i64) -> Operation {
    let fields = [(Field(number), value.map(text))].into();
    change(U, Change::Fields(fields), timestamp)
}

/// Deletes all elements of the column.
pub(crate) fn delete(column: Column, timestamp: i64) -> Operation {
    deletion(column, [column].into(), BTreeMap::new(), timestamp)
}

/// Deletes entries of a map, by `DELETE`.
pub(crate) fn delete_entries(column: Column, keys: &[&str], timestamp: i64) -> Operation {
    let elements = [(column, texts(keys))].into();
    deletion(column, BTreeSet::new(), elements, timestamp)
}

fn deletion(
    column: Column,
    columns: BTreeSet<Column>,
    elements: BTreeMap<Column, Vec<Scalar>>,
    timestamp: i64,
) -> Operation {
    Operation::DeleteCells {
        table: T0,
        partition: 0,
        row: row_of(column),
        columns,
        elements,
        timestamp,
    }
}

/// An answer in which row 1 shows this, and nothing else does.
pub(crate) fn row_shows(of: &[(Column, Collection)]) -> PartitionSeen {
    let value = |column: Column, of: &Collection| match column {
        F => Value::Frozen(of.clone()),
        _ => Value::Many(of.clone()),
    };
    let cells = of.iter().map(|(column, of)| (*column, value(*column, of)));
    let row = RowSeen {
        clustering: key(1),
        cells: cells.collect(),
    };
    PartitionSeen {
        statics: BTreeMap::new(),
        rows: vec![row],
    }
}

pub(crate) fn element(column: Column, of: &str) -> StoneOf {
    StoneOf::Element(column, Element::Key(text(of)))
}
