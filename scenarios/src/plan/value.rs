//! Vocabulary of what columns hold: a scalar, the elements of a collection, or a frozen collection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::column_type::{CollectionType, ColumnType};
use super::scalar::Scalar;
use super::shape::ScalarType;

/// What a column holds in one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// One value.
    Scalar(Scalar),
    /// All elements of a column with a cell for each.
    Many(Collection),
    /// One value of many elements.
    Frozen(Collection),
}

/// Elements of a collection. In a plan keys ascend, each once; an answer says what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// Keys and values.
    Map(Vec<(Scalar, Scalar)>),
    /// Elements, each its own key.
    Set(Vec<Scalar>),
    /// Elements in their order.
    List(Vec<Scalar>),
    /// The fields that are not null.
    Struct(BTreeMap<Field, Scalar>),
}

/// A change of some elements of a column with a cell for each; the others stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Puts entries of a map or elements of a set, or appends elements of a list.
    Add(Collection),
    /// Deletes entries of a map or elements of a set, by their keys.
    Remove(Vec<Scalar>),
    /// Sets fields of a struct; those without a value are deleted.
    Fields(BTreeMap<Field, Option<Scalar>>),
}

/// A field of a struct, by the number in its name: `f0` or `f1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub u8);

/// A value of which no two writes in a plan have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unique<'a> {
    Scalar(&'a Scalar),
    Frozen(&'a Collection),
}

impl Collection {
    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Collection::Map(entries) => entries.is_empty(),
            Collection::Set(elements) | Collection::List(elements) => elements.is_empty(),
            Collection::Struct(fields) => fields.is_empty(),
        }
    }

    /// Whether keys ascend, each once; a list has none.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        match self {
            Collection::Map(entries) => entries.is_sorted_by(|(left, _), (right, _)| left < right),
            Collection::Set(elements) => elements.is_sorted_by(|left, right| left < right),
            Collection::List(_) | Collection::Struct(_) => true,
        }
    }

    /// Whether a column of this type can hold it.
    #[must_use]
    pub fn fits(&self, collection_type: CollectionType) -> bool {
        match (self, collection_type) {
            (Collection::Map(entries), CollectionType::Map(key_type, value_type)) => entries
                .iter()
                .all(|(key, value)| key.fits(key_type) && value.fits(value_type)),
            (Collection::Set(elements), CollectionType::Set(element_type))
            | (Collection::List(elements), CollectionType::List(element_type)) => {
                elements.iter().all(|element| element.fits(element_type))
            }
            (Collection::Struct(fields), CollectionType::Struct(first, second)) => fields
                .iter()
                .all(|(field, value)| field.fits(Some(value), [first, second])),
            _ => false,
        }
    }

    /// All scalars in it.
    pub(super) fn scalars(&self) -> Vec<&Scalar> {
        match self {
            Collection::Map(entries) => {
                let both = entries.iter().flat_map(|(key, value)| [key, value]);
                both.collect()
            }
            Collection::Set(elements) | Collection::List(elements) => elements.iter().collect(),
            Collection::Struct(fields) => fields.values().collect(),
        }
    }

    /// The values of its cells; an element of a set has none.
    fn values(&self) -> Vec<&Scalar> {
        match self {
            Collection::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
            Collection::Set(_) => Vec::new(),
            Collection::List(elements) => elements.iter().collect(),
            Collection::Struct(fields) => fields.values().collect(),
        }
    }
}

impl Value {
    /// Whether a column of this type can hold it.
    #[must_use]
    pub fn fits(&self, column_type: ColumnType) -> bool {
        match (self, column_type) {
            (Value::Scalar(value), ColumnType::Scalar(scalar_type)) => value.fits(scalar_type),
            (Value::Many(collection), ColumnType::Many(collection_type))
            | (Value::Frozen(collection), ColumnType::Frozen(collection_type)) => {
                collection.fits(collection_type)
            }
            _ => false,
        }
    }

    /// The collection, frozen or not.
    #[must_use]
    pub const fn collection(&self) -> Option<&Collection> {
        match self {
            Value::Scalar(_) => None,
            Value::Many(collection) | Value::Frozen(collection) => Some(collection),
        }
    }

    pub(super) fn unique(&self) -> Vec<Unique<'_>> {
        match self {
            Value::Scalar(value) => vec![Unique::Scalar(value)],
            Value::Many(collection) => collection
                .values()
                .into_iter()
                .map(Unique::Scalar)
                .collect(),
            Value::Frozen(frozen) => vec![Unique::Frozen(frozen)],
        }
    }
}

impl Change {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Change::Add(collection) => collection.is_empty(),
            Change::Remove(keys) => keys.is_empty(),
            Change::Fields(fields) => fields.is_empty(),
        }
    }

    /// Whether a column of this type can be so changed.
    #[must_use]
    pub fn fits(&self, column_type: ColumnType) -> bool {
        let Some(collection_type) = column_type.many() else {
            return false;
        };
        match (self, collection_type) {
            (Change::Add(Collection::Struct(_)), _) => false,
            (Change::Add(collection), _) => collection.fits(collection_type),
            (
                Change::Remove(keys),
                CollectionType::Map(key_type, _) | CollectionType::Set(key_type),
            ) => keys.iter().all(|key| key.fits(key_type)),
            (Change::Fields(fields), CollectionType::Struct(first, second)) => fields
                .iter()
                .all(|(field, value)| field.fits(value.as_ref(), [first, second])),
            _ => false,
        }
    }

    /// All scalars in it.
    pub(super) fn scalars(&self) -> Vec<&Scalar> {
        match self {
            Change::Add(collection) => collection.scalars(),
            Change::Remove(keys) => keys.iter().collect(),
            Change::Fields(fields) => fields.values().flatten().collect(),
        }
    }

    pub(super) fn unique(&self) -> Vec<Unique<'_>> {
        let values = match self {
            Change::Add(collection) => collection.values(),
            Change::Remove(_) => Vec::new(),
            Change::Fields(fields) => fields.values().flatten().collect(),
        };
        values.into_iter().map(Unique::Scalar).collect()
    }
}

impl Unique<'_> {
    pub(super) fn to_value(self) -> Value {
        match self {
            Unique::Scalar(value) => Value::Scalar(value.clone()),
            Unique::Frozen(frozen) => Value::Frozen(frozen.clone()),
        }
    }
}

impl Field {
    /// How many fields a struct has.
    pub const COUNT: u8 = 2;

    /// Whether it is a field of such a struct, and can have the value.
    fn fits(self, value: Option<&Scalar>, types: [ScalarType; 2]) -> bool {
        types
            .get(usize::from(self.0))
            .is_some_and(|scalar_type| value.is_none_or(|value| value.fits(*scalar_type)))
    }
}

impl From<Scalar> for Value {
    fn from(value: Scalar) -> Value {
        Value::Scalar(value)
    }
}

impl From<Collection> for Value {
    /// The one with a cell for each element.
    fn from(collection: Collection) -> Value {
        Value::Many(collection)
    }
}
