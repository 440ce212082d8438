//! Invariants of values that come from outside: what a collection holds is scalar, so that no bytes can
//! ask for deeper nesting than a stack has.

use bytes::Bytes;
use serde::Deserialize;

use super::value::{Text, Value};

#[derive(Deserialize)]
pub(super) enum Scalar {
    Boolean(bool),
    Int(i32),
    BigInt(i64),
    Text(Text),
    Blob(Bytes),
}

/// [`Value`] as it is decoded: the same variants in the same order.
#[derive(Deserialize)]
pub(super) enum Decoded {
    Boolean(bool),
    Int(i32),
    BigInt(i64),
    Text(Text),
    Blob(Bytes),
    Map(Vec<(Scalar, Scalar)>),
    Set(Vec<Scalar>),
    List(Vec<Scalar>),
    Struct(Vec<(Text, Option<Scalar>)>),
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        match scalar {
            Scalar::Boolean(flag) => Value::Boolean(flag),
            Scalar::Int(number) => Value::Int(number),
            Scalar::BigInt(number) => Value::BigInt(number),
            Scalar::Text(text) => Value::Text(text),
            Scalar::Blob(bytes) => Value::Blob(bytes),
        }
    }
}

impl From<Decoded> for Value {
    fn from(decoded: Decoded) -> Value {
        let all = |scalars: Vec<Scalar>| scalars.into_iter().map(Value::from).collect();
        match decoded {
            Decoded::Boolean(flag) => Value::Boolean(flag),
            Decoded::Int(number) => Value::Int(number),
            Decoded::BigInt(number) => Value::BigInt(number),
            Decoded::Text(text) => Value::Text(text),
            Decoded::Blob(bytes) => Value::Blob(bytes),
            Decoded::Map(entries) => {
                let entry = |(key, value): (Scalar, Scalar)| (key.into(), value.into());
                Value::Map(entries.into_iter().map(entry).collect())
            }
            Decoded::Set(elements) => Value::Set(all(elements)),
            Decoded::List(elements) => Value::List(all(elements)),
            Decoded::Struct(fields) => {
                let field = |(name, value): (Text, Option<Scalar>)| (name, value.map(Value::from));
                Value::Struct(fields.into_iter().map(field).collect())
            }
        }
    }
}
