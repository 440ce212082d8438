//! Vocabulary of slots: the cells of a row, one for a column or one for each element of it, and what
//! they hold.

use std::cmp::Ordering;

use super::order::by_bytes;
use crate::plan::{Change, Collection, Column, Field, Scalar, Value};

/// A cell of a row, or of the static row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot<'a> {
    /// Its column.
    pub column: Column,
    /// Which of the column's.
    pub path: Path<'a>,
}

/// Which cell of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path<'a> {
    /// The only one.
    Whole,
    /// Of the entry of a map, or the element of a set, with this key.
    Key(&'a Scalar),
    /// Of a field of a struct.
    Field(Field),
    /// Of an element of a list, which is the only one with this value.
    Item(&'a Scalar),
}

/// What a cell holds when it is no tombstone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    /// Nothing: an element of a set is all in its key.
    Nothing,
    Scalar(&'a Scalar),
    Frozen(&'a Collection),
}

impl Slot<'_> {
    /// Whether it is one of many of its column.
    pub(super) fn is_element(&self) -> bool {
        self.path != Path::Whole
    }

    /// What the cell shows, in words: `v0 = 7`, `v0['a'] = 7`, `v0['a']` of a set.
    pub(super) fn told(&self, content: Content<'_>) -> String {
        let column = self.column;
        let place = match self.path {
            Path::Whole | Path::Item(_) => column.to_string(),
            Path::Key(key) => format!("{column}[{key}]"),
            Path::Field(field) => format!("{column}.{field}"),
        };
        match content {
            Content::Nothing => place,
            Content::Scalar(value) => format!("{place} = {value}"),
            Content::Frozen(value) => format!("{place} = {value}"),
        }
    }
}

impl Content<'_> {
    /// Whether it tells its writer.
    pub(super) fn is_unique(&self) -> bool {
        *self != Content::Nothing
    }

    /// Which of two that tie wins: the one whose bytes are larger.
    pub(super) fn against(&self, other: &Content<'_>) -> Ordering {
        match (self, other) {
            (Content::Scalar(own), Content::Scalar(other)) => by_bytes(own, other),
            (Content::Frozen(own), Content::Frozen(other)) => {
                frozen_bytes(own).cmp(&frozen_bytes(other))
            }
            _ => Ordering::Equal,
        }
    }
}

/// All cells of what a column is set to, or shows.
pub(super) fn of_value(
    column: Column,
    value: &Value,
) -> impl Iterator<Item = (Slot<'_>, Content<'_>)> {
    let (whole, collection) = match value {
        Value::Scalar(value) => (Some(Content::Scalar(value)), None),
        Value::Frozen(value) => (Some(Content::Frozen(value)), None),
        Value::Many(collection) => (None, Some(collection)),
    };
    let whole = whole.map(|content| (slot(column, Path::Whole), content));
    let elements = collection.map(|collection| of_collection(column, collection));
    whole.into_iter().chain(elements.into_iter().flatten())
}

/// What one cell of a column holds that is set to this; none when it is not among the value's.
pub(super) fn content_at<'a>(value: &'a Value, path: Path<'_>) -> Option<Content<'a>> {
    match (value, path) {
        (Value::Scalar(value), Path::Whole) => Some(Content::Scalar(value)),
        (Value::Frozen(value), Path::Whole) => Some(Content::Frozen(value)),
        (Value::Many(collection), path) => element_at(collection, path),
        _ => None,
    }
}

/// The same of a change; an inner none when it deletes the cell.
pub(super) fn change_at<'a>(change: &'a Change, path: Path<'_>) -> Option<Option<Content<'a>>> {
    match (change, path) {
        (Change::Add(collection), path) => element_at(collection, path).map(Some),
        (Change::Remove(keys), Path::Key(key)) => keys.contains(key).then_some(None),
        (Change::Fields(fields), Path::Field(field)) => {
            Some(fields.get(&field)?.as_ref().map(Content::Scalar))
        }
        _ => None,
    }
}

fn element_at<'a>(collection: &'a Collection, path: Path<'_>) -> Option<Content<'a>> {
    match (collection, path) {
        (Collection::Map(entries), Path::Key(key)) => {
            let (_, value) = entries.iter().find(|(own, _)| own == key)?;
            Some(Content::Scalar(value))
        }
        (Collection::Set(elements), Path::Key(key)) => {
            elements.contains(key).then_some(Content::Nothing)
        }
        (Collection::List(elements), Path::Item(item)) => {
            let own = elements.iter().find(|own| *own == item);
            own.map(Content::Scalar)
        }
        (Collection::Struct(fields), Path::Field(field)) => fields.get(&field).map(Content::Scalar),
        _ => None,
    }
}

/// All cells that a change writes, with what they hold then, or deletes.
pub(super) fn of_change(column: Column, change: &Change) -> Vec<(Slot<'_>, Option<Content<'_>>)> {
    match change {
        Change::Add(collection) => {
            let cells = of_collection(column, collection).into_iter();
            cells.map(|(slot, content)| (slot, Some(content))).collect()
        }
        Change::Remove(keys) => of_keys(column, keys).map(|slot| (slot, None)).collect(),
        Change::Fields(fields) => fields
            .iter()
            .map(|(field, value)| {
                let content = value.as_ref().map(Content::Scalar);
                (slot(column, Path::Field(*field)), content)
            })
            .collect(),
    }
}

/// The cells with these keys.
pub(super) fn of_keys(column: Column, keys: &[Scalar]) -> impl Iterator<Item = Slot<'_>> {
    keys.iter().map(move |key| slot(column, Path::Key(key)))
}

fn of_collection(column: Column, collection: &Collection) -> Vec<(Slot<'_>, Content<'_>)> {
    match collection {
        Collection::Map(entries) => entries
            .iter()
            .map(|(key, value)| (slot(column, Path::Key(key)), Content::Scalar(value)))
            .collect(),
        Collection::Set(elements) => elements
            .iter()
            .map(|element| (slot(column, Path::Key(element)), Content::Nothing))
            .collect(),
        Collection::List(elements) => elements
            .iter()
            .map(|element| (slot(column, Path::Item(element)), Content::Scalar(element)))
            .collect(),
        Collection::Struct(fields) => fields
            .iter()
            .map(|(field, value)| (slot(column, Path::Field(*field)), Content::Scalar(value)))
            .collect(),
    }
}

pub(super) const fn slot(column: Column, path: Path<'_>) -> Slot<'_> {
    Slot { column, path }
}

/// What the column shows of these live cells; those of a list in the order given.
pub(super) fn shown(cells: &[(Path<'_>, Content<'_>)]) -> Option<Value> {
    let (first, content) = cells.first()?;
    let scalars = |pick: &dyn Fn(&Path<'_>, &Content<'_>) -> Option<Scalar>| -> Vec<Scalar> {
        let picked = cells
            .iter()
            .filter_map(|(path, content)| pick(path, content));
        picked.collect()
    };
    Some(match (first, content) {
        (Path::Whole, Content::Frozen(collection)) => Value::Frozen((*collection).clone()),
        (Path::Whole, Content::Scalar(value)) => Value::Scalar((*value).clone()),
        (Path::Whole, Content::Nothing) => return None,
        (Path::Key(_), Content::Nothing) => {
            Value::Many(Collection::Set(scalars(&|path, _| match path {
                Path::Key(key) => Some((*key).clone()),
                _ => None,
            })))
        }
        (Path::Item(_), _) => Value::Many(Collection::List(scalars(&|path, _| match path {
            Path::Item(item) => Some((*item).clone()),
            _ => None,
        }))),
        (Path::Key(_), _) => {
            let entries = cells.iter().filter_map(|cell| match cell {
                (Path::Key(key), Content::Scalar(value)) => {
                    Some(((*key).clone(), (*value).clone()))
                }
                _ => None,
            });
            Value::Many(Collection::Map(entries.collect()))
        }
        (Path::Field(_), _) => {
            let fields = cells.iter().filter_map(|cell| match cell {
                (Path::Field(field), Content::Scalar(value)) => Some((*field, (*value).clone())),
                _ => None,
            });
            Value::Many(Collection::Struct(fields.collect()))
        }
    })
}

/// The bytes by which frozen collections tie: a count, then the size and the bytes of each part, all
/// big end first; a field that is null has the largest size. Integers of one type have as many bytes
/// on either side, so that here all have eight.
fn frozen_bytes(collection: &Collection) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    let part = |value: &Scalar| {
        let own = match value {
            Scalar::Integer(number) => number.to_be_bytes().to_vec(),
            Scalar::Text(text) => text.as_bytes().to_vec(),
            Scalar::Blob(bytes) => bytes.clone(),
        };
        [&number(own.len())[..], &own].concat()
    };
    match collection {
        Collection::Map(entries) => {
            bytes.extend(number(entries.len()));
            for (key, value) in entries {
                bytes.extend(part(key));
                bytes.extend(part(value));
            }
        }
        Collection::Set(elements) | Collection::List(elements) => {
            bytes.extend(number(elements.len()));
            bytes.extend(elements.iter().flat_map(part));
        }
        Collection::Struct(fields) => {
            bytes.extend(number(Field::COUNT.into()));
            for field in (0..Field::COUNT).map(Field) {
                match fields.get(&field) {
                    Some(value) => bytes.extend(part(value)),
                    None => bytes.extend(u32::MAX.to_be_bytes()),
                }
            }
        }
    }
    bytes
}
