//! Byte layout of one key component: bytes that compare as its values do.
//!
//! `boolean` is `00` or `01`; `int` is big endian with the sign bit flipped; `bigint`, and `text` with
//! `blob`, have files of their own. A descending component has every byte inverted.

use bytes::Bytes;

use super::bigint;
use super::error::KeyError;
use super::escape;
use super::input::Input;
use super::shape::Order;
use super::value::{DataType, Text, Value};

const SIGN_BIT: u32 = 1 << 31;

pub(super) fn encode_into(value: &Value, order: Order, out: &mut Vec<u8>) {
    let start = out.len();
    match value {
        Value::Boolean(flag) => out.push(u8::from(*flag)),
        Value::Int(number) => {
            out.extend((number.cast_unsigned() ^ SIGN_BIT).to_be_bytes());
        }
        Value::BigInt(number) => bigint::encode_into(*number, out),
        Value::Text(text) => escape::encode_into(text.as_bytes(), out),
        Value::Blob(bytes) => escape::encode_into(bytes, out),
        Value::Map(_) | Value::Set(_) | Value::List(_) | Value::Struct(_) => {
            panic!("the value was checked to be a single one")
        }
    }
    if order == Order::Descending {
        out[start..].iter_mut().for_each(|byte| *byte ^= 0xFF);
    }
}

pub(super) fn decode(
    data_type: DataType,
    order: Order,
    input: &mut Input<'_>,
) -> Result<Value, KeyError> {
    input.set_mask(if order == Order::Descending { 0xFF } else { 0 });
    let value = match data_type {
        DataType::Boolean => match input.next()? {
            0 => Value::Boolean(false),
            1 => Value::Boolean(true),
            _ => return Err(input.malformed("neither false nor true")),
        },
        DataType::Int => {
            let number = u32::try_from(input.big_endian(4)?).expect("4 bytes fit 32 bits");
            Value::Int((number ^ SIGN_BIT).cast_signed())
        }
        DataType::BigInt => Value::BigInt(bigint::decode(input)?),
        DataType::Text => {
            let bytes = escape::decode(input)?;
            Value::Text(Text::from_utf8(bytes).map_err(|_| input.malformed("not UTF-8"))?)
        }
        DataType::Blob => Value::Blob(Bytes::from(escape::decode(input)?)),
    };
    input.set_mask(0);
    Ok(value)
}
