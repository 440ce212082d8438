//! Byte layout of frozen collections: one value, the same bytes for the same content.
//!
//! A count, then for each element its size and its plain bytes; numbers are 32 bits, big endian. A map has
//! key and value in turn, ascending by the key as a key component, each key once; a set its elements in
//! the same way. A struct has all its fields in order; the size of a field without a value is `FFFFFFFF`.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::column_type::{CollectionType, Field};
use super::comparable;
use super::error::KeyError;
use super::shape::Order;
use super::value::{DataType, Text, Value};

const NULL_SIZE: u32 = u32::MAX;

impl CollectionType {
    /// The frozen bytes of a value of this type. Of two entries with one key the later is meant.
    ///
    /// # Panics
    /// When the value is not of this type.
    #[must_use]
    pub fn encode(&self, value: &Value) -> Bytes {
        let mut out = Vec::new();
        match (self, value) {
            (CollectionType::Map(..), Value::Map(entries)) => {
                let sorted: BTreeMap<_, _> = entries
                    .iter()
                    .map(|(key, value)| (sort_key(key), (key, value)))
                    .collect();
                put_count(sorted.len(), &mut out);
                for (key, value) in sorted.into_values() {
                    put(Some(key), &mut out);
                    put(Some(value), &mut out);
                }
            }
            (CollectionType::Set(_), Value::Set(elements)) => {
                let sorted: BTreeMap<_, _> = elements
                    .iter()
                    .map(|element| (sort_key(element), element))
                    .collect();
                put_count(sorted.len(), &mut out);
                sorted.values().for_each(|value| put(Some(value), &mut out));
            }
            (CollectionType::List(_), Value::List(elements)) => {
                put_count(elements.len(), &mut out);
                elements.iter().for_each(|value| put(Some(value), &mut out));
            }
            (CollectionType::Struct(fields), Value::Struct(values)) => {
                put_count(fields.len(), &mut out);
                for field in fields.iter() {
                    let value = values.iter().rfind(|(name, _)| *name == field.name);
                    put(value.and_then(|(_, value)| value.as_ref()), &mut out);
                }
            }
            _ => panic!("the value was checked to be {self}"),
        }
        Bytes::from(out)
    }

    /// The value of frozen bytes.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when they are none of a value of this type.
    pub fn decode(&self, bytes: &Bytes) -> Result<Value, KeyError> {
        let mut input = Parts { bytes, offset: 0 };
        let count = input.number()?;
        let value = match self {
            CollectionType::Map(key, value) => {
                let mut entries = Vec::new();
                for _ in 0..count {
                    entries.push((input.value(*key)?, input.value(*value)?));
                }
                input.check_ascend(entries.iter().map(|(key, _)| key))?;
                Value::Map(entries)
            }
            CollectionType::Set(element) => {
                let elements = input.values(*element, count)?;
                input.check_ascend(elements.iter())?;
                Value::Set(elements)
            }
            CollectionType::List(element) => Value::List(input.values(*element, count)?),
            CollectionType::Struct(fields) => Value::Struct(input.fields(fields, count)?),
        };
        if input.offset == bytes.len() {
            Ok(value)
        } else {
            Err(input.malformed("bytes left over"))
        }
    }
}

/// Bytes by which elements are sorted.
fn sort_key(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    comparable::encode_into(value, Order::Ascending, &mut out);
    out
}

fn put_count(count: usize, out: &mut Vec<u8>) {
    let count = u32::try_from(count).expect("a value of a mutation has fewer than 2^32 bytes");
    out.extend(count.to_be_bytes());
}

fn put(value: Option<&Value>, out: &mut Vec<u8>) {
    let Some(value) = value else {
        out.extend(NULL_SIZE.to_be_bytes());
        return;
    };
    let bytes = value.encode();
    put_count(bytes.len(), out);
    out.extend_from_slice(&bytes);
}

/// Reads frozen bytes from the front.
struct Parts<'a> {
    bytes: &'a Bytes,
    offset: usize,
}

impl Parts<'_> {
    const fn malformed(&self, cause: &'static str) -> KeyError {
        KeyError::Malformed {
            offset: self.offset,
            cause,
        }
    }

    fn take(&mut self, size: usize) -> Result<Bytes, KeyError> {
        if self.bytes.len() - self.offset < size {
            return Err(self.malformed("ends too early"));
        }
        let start = self.offset;
        self.offset += size;
        Ok(self.bytes.slice(start..self.offset))
    }

    fn number(&mut self) -> Result<u32, KeyError> {
        let bytes = self.take(4)?;
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn value(&mut self, data_type: DataType) -> Result<Value, KeyError> {
        self.nullable(data_type)?
            .ok_or_else(|| self.malformed("no value"))
    }

    fn nullable(&mut self, data_type: DataType) -> Result<Option<Value>, KeyError> {
        let size = self.number()?;
        if size == NULL_SIZE {
            return Ok(None);
        }
        let bytes = self.take(size as usize)?;
        Value::decode(data_type, &bytes).map(Some)
    }

    /// Grows as it reads: a count alone asks for no memory.
    fn values(&mut self, data_type: DataType, count: u32) -> Result<Vec<Value>, KeyError> {
        (0..count).map(|_| self.value(data_type)).collect()
    }

    fn fields(
        &mut self,
        fields: &[Field],
        count: u32,
    ) -> Result<Vec<(Text, Option<Value>)>, KeyError> {
        if fields.len() != count as usize {
            return Err(self.malformed("another number of fields"));
        }
        let named = |field: &Field| Ok((field.name.clone(), self.nullable(field.data_type)?));
        fields.iter().map(named).collect()
    }

    fn check_ascend<'v>(&self, keys: impl Iterator<Item = &'v Value>) -> Result<(), KeyError> {
        if keys.map(sort_key).is_sorted_by(|a, b| a < b) {
            Ok(())
        } else {
            Err(self.malformed("elements out of order"))
        }
    }
}
