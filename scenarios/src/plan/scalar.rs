//! Vocabulary of values: what a plan writes and a read shows, without a column's type around it.
//!
//! In JSON an integer is a number, a text a string, a blob `{"blob": "hex digits"}`.

use std::fmt;

use serde::de::{Error as _, MapAccess, Unexpected, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape::ScalarType;

/// One value of a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// An `int` or a `bigint`.
    Integer(i64),
    /// A `text`.
    Text(String),
    /// A `blob`.
    Blob(Vec<u8>),
}

impl Scalar {
    /// Whether a column of this type can hold the value.
    #[must_use]
    pub fn fits(&self, scalar_type: ScalarType) -> bool {
        match (self, scalar_type) {
            (Scalar::Integer(number), ScalarType::Int) => i32::try_from(*number).is_ok(),
            (Scalar::Integer(_), ScalarType::BigInt)
            | (Scalar::Text(_), ScalarType::Text)
            | (Scalar::Blob(_), ScalarType::Blob) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Scalar {
    /// The CQL literal: `17`, `'it''s'`, `0x00ff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Integer(number) => write!(f, "{number}"),
            Scalar::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Scalar::Blob(bytes) => write!(f, "0x{}", hex(bytes)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(nibble), 16).expect("a nibble is below 16"));
        }
    }
    text
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|nibble| u8::try_from(nibble).ok())
        })
        .collect::<Option<_>>()?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    Some(
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Scalar::Integer(number) => serializer.serialize_i64(*number),
            Scalar::Text(text) => serializer.serialize_str(text),
            Scalar::Blob(bytes) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("blob", &hex(bytes))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

pub(super) struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a 64-bit integer, a string or {\"blob\": \"hex digits\"}")
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Scalar, E> {
        i64::try_from(number)
            .map(Scalar::Integer)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        let (key, digits) = map
            .next_entry::<String, String>()?
            .ok_or_else(|| A::Error::invalid_length(0, &self))?;
        if key != "blob" {
            return Err(A::Error::unknown_field(&key, &["blob"]));
        }
        if map.next_key::<String>()?.is_some() {
            return Err(A::Error::invalid_length(2, &self));
        }
        blob(&digits)
    }
}

/// The blob of these hex digits.
pub(super) fn blob<E: serde::de::Error>(digits: &str) -> Result<Scalar, E> {
    unhex(digits)
        .map(Scalar::Blob)
        .ok_or_else(|| E::invalid_value(Unexpected::Str(digits), &"an even number of hex digits"))
}
