//! Steps between a plan's values and the engine's. A value that does not fit its column goes out as what
//! it is: the node is to refuse it. One that comes back and that no column of a plan can hold is none.

use std::collections::BTreeMap;

use bytes::Bytes;
use cenotaph_engine::keys::{Value as KeyValue, field_of_path};
use cenotaph_engine::message::ElementChange;

use super::types::{data_type, text};
use crate::history::Element;
use crate::plan::{
    Change, Collection, CollectionType, ColumnType, Field, Scalar, ScalarType, Value,
};

/// Types of keys and of values of a collection.
type Types = [Option<ScalarType>; 2];

/// The scalar as one of this type.
pub(super) fn scalar(value: &Scalar, scalar_type: Option<ScalarType>) -> KeyValue {
    match (value, scalar_type) {
        (Scalar::Integer(number), Some(ScalarType::Int)) => {
            i32::try_from(*number).map_or(KeyValue::BigInt(*number), KeyValue::Int)
        }
        (Scalar::Integer(number), _) => KeyValue::BigInt(*number),
        (Scalar::Text(text), _) => KeyValue::Text(text.as_str().into()),
        (Scalar::Blob(bytes), _) => KeyValue::Blob(Bytes::copy_from_slice(bytes)),
    }
}

/// The value as one of this type.
pub(super) fn value(value: &Value, column_type: Option<ColumnType>) -> KeyValue {
    match value {
        Value::Scalar(value) => match column_type {
            Some(ColumnType::Scalar(scalar_type)) => scalar(value, Some(scalar_type)),
            _ => scalar(value, None),
        },
        Value::Many(elements) | Value::Frozen(elements) => collection(elements, types(column_type)),
    }
}

/// The change as one of a column of this type.
pub(super) fn change(change: &Change, column_type: Option<ColumnType>) -> ElementChange {
    let types = types(column_type);
    match change {
        Change::Add(elements) => ElementChange::Add(collection(elements, types)),
        Change::Remove(keys) => {
            let keys = keys.iter().map(|key| scalar(key, types[0]));
            ElementChange::Remove(keys.collect())
        }
        Change::Fields(fields) => {
            let field = |(field, value): (&Field, &Option<Scalar>)| {
                let value = value.as_ref().map(|value| scalar(value, None));
                (text(field), value)
            };
            ElementChange::Add(KeyValue::Struct(fields.iter().map(field).collect()))
        }
    }
}

fn types(column_type: Option<ColumnType>) -> Types {
    let Some(ColumnType::Many(collection) | ColumnType::Frozen(collection)) = column_type else {
        return [None, None];
    };
    match collection {
        CollectionType::Map(key, value) => [Some(key), Some(value)],
        CollectionType::Set(element) => [Some(element), None],
        CollectionType::List(element) => [None, Some(element)],
        CollectionType::Struct(..) => [None, None],
    }
}

fn collection(collection: &Collection, [key_type, value_type]: Types) -> KeyValue {
    match collection {
        Collection::Map(entries) => {
            let entry = |(key, value): &(Scalar, Scalar)| {
                (scalar(key, key_type), scalar(value, value_type))
            };
            KeyValue::Map(entries.iter().map(entry).collect())
        }
        Collection::Set(elements) => {
            let elements = elements.iter().map(|element| scalar(element, key_type));
            KeyValue::Set(elements.collect())
        }
        Collection::List(elements) => {
            let elements = elements.iter().map(|element| scalar(element, value_type));
            KeyValue::List(elements.collect())
        }
        Collection::Struct(fields) => {
            let fields = fields
                .iter()
                .map(|(field, value)| (text(field), Some(scalar(value, None))));
            KeyValue::Struct(fields.collect())
        }
    }
}

/// What a scalar shows.
pub(super) fn scalar_seen(value: &KeyValue) -> Option<Scalar> {
    Some(match value {
        KeyValue::Boolean(_)
        | KeyValue::Map(_)
        | KeyValue::Set(_)
        | KeyValue::List(_)
        | KeyValue::Struct(_) => return None,
        KeyValue::Int(number) => Scalar::Integer(i64::from(*number)),
        KeyValue::BigInt(number) => Scalar::Integer(*number),
        KeyValue::Text(text) => Scalar::Text(text.to_string()),
        KeyValue::Blob(bytes) => Scalar::Blob(bytes.to_vec()),
    })
}

/// What a column of this type shows.
pub(super) fn value_seen(value: &KeyValue, column_type: Option<ColumnType>) -> Option<Value> {
    match column_type {
        Some(ColumnType::Many(_)) => collection_seen(value).map(Value::Many),
        Some(ColumnType::Frozen(_)) => collection_seen(value).map(Value::Frozen),
        Some(ColumnType::Scalar(_)) | None => scalar_seen(value).map(Value::Scalar),
    }
}

/// Elements in the order in which the answer has them.
fn collection_seen(value: &KeyValue) -> Option<Collection> {
    let scalars = |values: &[KeyValue]| values.iter().map(scalar_seen).collect::<Option<_>>();
    Some(match value {
        KeyValue::Map(entries) => {
            let entry = |(key, value)| Some((scalar_seen(key)?, scalar_seen(value)?));
            let entries = entries.iter().map(|(key, value)| entry((key, value)));
            Collection::Map(entries.collect::<Option<_>>()?)
        }
        KeyValue::Set(elements) => Collection::Set(scalars(elements)?),
        KeyValue::List(elements) => Collection::List(scalars(elements)?),
        KeyValue::Struct(fields) => {
            let mut seen = BTreeMap::new();
            for (name, value) in fields {
                let field: Field = name.parse().ok()?;
                if let Some(value) = value {
                    seen.insert(field, scalar_seen(value)?);
                }
            }
            Collection::Struct(seen)
        }
        _ => return None,
    })
}

/// The element with this path in a column of this type.
pub(super) fn element_seen(path: &[u8], column_type: Option<ColumnType>) -> Option<Element> {
    Some(match column_type?.many()? {
        CollectionType::Map(key_type, _) | CollectionType::Set(key_type) => {
            let key = KeyValue::of_path(data_type(key_type), path).ok()?;
            Element::Key(scalar_seen(&key)?)
        }
        CollectionType::List(_) => Element::Item(u128::from_be_bytes(path.try_into().ok()?)),
        CollectionType::Struct(..) => {
            Element::Field(Field(u8::try_from(field_of_path(path).ok()?).ok()?))
        }
    })
}
