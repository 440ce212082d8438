//! Steps from one byte to what becomes of a collection: whether it is set whole, and which elements of few
//! are put or deleted; so that puts, deletions and replacements meet.

use std::collections::BTreeMap;

use super::values;
use crate::plan::{
    Change, Collection, CollectionType, Column, ColumnType, Draw, Field, OperationRef, Scalar,
    ScalarType, Value,
};

/// Keys of maps and sets.
const KEYS_COUNT: u8 = 3;
const INTEGERS: [i64; KEYS_COUNT as usize] = [1, -1, 2];
const TEXTS: [&str; KEYS_COUNT as usize] = ["a", "", "b"];

/// Who writes where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer {
    pub(super) name: OperationRef,
    pub(super) column: Column,
}

/// What becomes of a column in an update.
#[derive(Clone, Debug)]
pub(super) enum Written {
    Whole(Value),
    Change(Change),
}

/// What the column is set to.
pub(super) fn whole(
    draw: &mut Draw<'_>,
    writer: Writer,
    column_type: ColumnType,
    padding: usize,
) -> Value {
    match column_type {
        ColumnType::Scalar(scalar_type) => {
            let place = (writer.column, None);
            Value::Scalar(values::value(writer.name, place, scalar_type, padding))
        }
        ColumnType::Many(collection) => {
            let mask = draw.within(0, 255) as u8;
            Value::Many(elements(writer, collection, mask))
        }
        // The values name their writer, so there is one at least.
        ColumnType::Frozen(collection) => {
            let mask = draw.within(0, 255) as u8;
            Value::Frozen(elements(writer, collection, some(mask)))
        }
    }
}

/// What an update does to the column.
pub(super) fn update(
    draw: &mut Draw<'_>,
    writer: Writer,
    column_type: ColumnType,
    padding: usize,
) -> Written {
    let Some(collection) = column_type.many() else {
        return Written::Whole(whole(draw, writer, column_type, padding));
    };
    let byte = draw.within(0, 255) as u8;
    let (how, mask) = (byte >> 6, byte & 0b11_1111);
    let all = || Value::Many(elements(writer, collection, mask));
    match (how, collection) {
        (0, _) => Written::Whole(all()),
        (_, CollectionType::Struct(first, second)) => {
            Written::Change(Change::Fields(fields(writer, [first, second], mask)))
        }
        (3, CollectionType::Map(key_type, _) | CollectionType::Set(key_type)) => {
            Written::Change(Change::Remove(keys(key_type, some(mask))))
        }
        _ => Written::Change(Change::Add(elements(writer, collection, some(mask)))),
    }
}

/// Keys of which entries of a map are deleted; none when the column is to be deleted whole.
pub(super) fn deleted(draw: &mut Draw<'_>, column_type: ColumnType) -> Option<Vec<Scalar>> {
    let CollectionType::Map(key_type, _) = column_type.many()? else {
        return None;
    };
    let byte = draw.within(0, 255) as u8;
    (byte >> 6 > 0).then(|| keys(key_type, some(byte)))
}

/// At least one of the elements.
const fn some(mask: u8) -> u8 {
    if mask & 0b111 == 0 { mask | 1 } else { mask }
}

fn indices(mask: u8) -> impl Iterator<Item = u8> {
    (0..KEYS_COUNT).filter(move |index| mask >> index & 1 == 1)
}

/// The keys of the mask, ascending.
fn keys(key_type: ScalarType, mask: u8) -> Vec<Scalar> {
    let mut keys: Vec<Scalar> = indices(mask).map(|index| key(key_type, index)).collect();
    keys.sort();
    keys
}

fn key(key_type: ScalarType, index: u8) -> Scalar {
    let index = usize::from(index);
    match key_type {
        ScalarType::Int | ScalarType::BigInt => Scalar::Integer(INTEGERS[index]),
        ScalarType::Text => Scalar::Text(TEXTS[index].to_owned()),
        ScalarType::Blob => Scalar::Blob(TEXTS[index].as_bytes().to_vec()),
    }
}

fn value(writer: Writer, scalar_type: ScalarType, index: u8) -> Scalar {
    values::value(writer.name, (writer.column, Some(index)), scalar_type, 0)
}

fn elements(writer: Writer, collection: CollectionType, mask: u8) -> Collection {
    match collection {
        CollectionType::Map(key_type, value_type) => {
            let entry = |index| (key(key_type, index), value(writer, value_type, index));
            let mut entries: Vec<(Scalar, Scalar)> = indices(mask).map(entry).collect();
            entries.sort();
            Collection::Map(entries)
        }
        CollectionType::Set(element_type) => Collection::Set(keys(element_type, mask)),
        CollectionType::List(element_type) => {
            let element = |index| value(writer, element_type, index);
            Collection::List(indices(mask).map(element).collect())
        }
        CollectionType::Struct(first, second) => {
            let fields = fields(writer, [first, second], mask & 0b111).into_iter();
            let live = fields.filter_map(|(field, value)| Some((field, value?)));
            Collection::Struct(live.collect())
        }
    }
}

/// One field or both by two bits, null or not by two more.
fn fields(writer: Writer, types: [ScalarType; 2], mask: u8) -> BTreeMap<Field, Option<Scalar>> {
    let is_named = |index: u8| mask & 0b11 == 0 || mask >> index & 1 == 1;
    let field = |index: u8| {
        let is_null = mask >> (index + 3) & 1 == 1;
        let value = value(writer, types[usize::from(index)], index);
        (Field(index), (!is_null).then_some(value))
    };
    (0..Field::COUNT)
        .filter(|index| is_named(*index))
        .map(field)
        .collect()
}
