//! Invariants of the text of values. In CQL a frozen collection looks like one that is not; in JSON a scalar
//! is as it is, a collection `{"map": [[key, value], ..]}`, `{"set": [..]}`, `{"list": [..]}` or
//! `{"struct": {"f0": value, ..}}`, a frozen one `{"frozen": {"map": ..}}`.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{Scalar, ScalarVisitor, blob};
use super::value::{Collection, Field, Unique, Value};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Scalar(value) => value.serialize(serializer),
            Value::Many(collection) => collection.serialize(serializer),
            Value::Frozen(collection) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("frozen", collection)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a 64-bit integer, a string, {\"blob\": \"hex digits\"}, or a collection as {\"map\": [[1, 2]]}, \
             {\"set\": [1]}, {\"list\": [1]}, {\"struct\": {\"f0\": 1}} or {\"frozen\": {\"map\": [[1, 2]]}}",
        )
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Value, E> {
        ScalarVisitor.visit_i64(number).map(Value::Scalar)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        ScalarVisitor.visit_u64(number).map(Value::Scalar)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Value, E> {
        ScalarVisitor.visit_str(text).map(Value::Scalar)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        const KINDS: [&str; 6] = ["blob", "map", "set", "list", "struct", "frozen"];
        let kind: String = map
            .next_key()?
            .ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let value = match kind.as_str() {
            "blob" => Value::Scalar(blob(&map.next_value::<String>()?)?),
            "map" => Value::Many(Collection::Map(map.next_value()?)),
            "set" => Value::Many(Collection::Set(map.next_value()?)),
            "list" => Value::Many(Collection::List(map.next_value()?)),
            "struct" => Value::Many(Collection::Struct(map.next_value()?)),
            "frozen" => Value::Frozen(map.next_value()?),
            _ => return Err(A::Error::unknown_field(&kind, &KINDS)),
        };
        match map.next_key::<String>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::invalid_length(2, &self)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(value) => write!(f, "{value}"),
            Value::Many(collection) | Value::Frozen(collection) => {
                write!(f, "{collection}")
            }
        }
    }
}

impl fmt::Display for Collection {
    /// The CQL literal: `{'a': 1}`, `{1, 2}`, `[1, 1]`, `{f0: 1}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Collection::Map(entries) => {
                let entry = |(key, value): &(Scalar, Scalar)| format!("{key}: {value}");
                let entries: Vec<String> = entries.iter().map(entry).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            Collection::Set(elements) => write!(f, "{{{}}}", join(elements)),
            Collection::List(elements) => write!(f, "[{}]", join(elements)),
            Collection::Struct(fields) => {
                let fields = fields.iter();
                let fields: Vec<String> = fields
                    .map(|(field, value)| format!("{field}: {value}"))
                    .collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
        }
    }
}

/// Literals with commas between them.
pub(super) fn join(values: &[Scalar]) -> String {
    let values: Vec<String> = values.iter().map(Scalar::to_string).collect();
    values.join(", ")
}

impl fmt::Display for Unique<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unique::Scalar(value) => write!(f, "{value}"),
            Unique::Frozen(collection) => write!(f, "{collection}"),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Field, String> {
        match text {
            "f0" => Ok(Field(0)),
            "f1" => Ok(Field(1)),
            _ => Err(format!("`{text}` is not a field: expected `f0` or `f1`")),
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
