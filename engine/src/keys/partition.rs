//! Byte layout of partition keys; partitions are ordered by token, then key.
//!
//! The key of one column is the plain bytes of its value. Of several: for each, a big-endian 16-bit
//! size, the plain bytes, `00`. A decorated key compares as `40 token 40 escaped-key 38` does, the
//! token being 8 bytes with the sign bit flipped.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::error::KeyError;
use super::escape;
use super::input::Input;
use super::murmur;
use super::separator::{NEXT_COMPONENT, TERMINATOR};
use super::value::{DataType, Value, ValueKind};
use crate::limits::PARTITION_KEY_SIZE_MAX;

const SIGN_BIT: u64 = 1 << 63;
const END_OF_COMPONENT: u8 = 0;

/// The encoded components of a partition key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PartitionKey(pub Bytes);

/// Where a partition key stands on the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Token(pub i64);

/// A partition key with its token: the order of partitions everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DecoratedKey {
    /// First in the order.
    pub token: Token,
    /// Second in the order.
    pub key: PartitionKey,
}

impl PartitionKey {
    /// The key with these values for columns of these types.
    ///
    /// # Errors
    /// A wrong count or type of values, or a key that is empty or too large.
    pub fn from_values(types: &[DataType], values: &[Value]) -> Result<PartitionKey, KeyError> {
        if types.len() != values.len() {
            return Err(KeyError::ValueCount {
                expected: types.len(),
                got: values.len(),
            });
        }
        for (index, (&expected, value)) in types.iter().zip(values).enumerate() {
            let got = value.kind();
            if ValueKind::Scalar(expected) != got {
                return Err(KeyError::ValueType {
                    index,
                    expected,
                    got,
                });
            }
        }
        let key = match values {
            [only] => only.encode(),
            several => encode_several(several)?,
        };
        if key.is_empty() {
            return Err(KeyError::Empty);
        }
        if key.len() > PARTITION_KEY_SIZE_MAX {
            return Err(KeyError::TooLarge {
                size: key.len(),
                size_max: PARTITION_KEY_SIZE_MAX,
            });
        }
        Ok(PartitionKey(key))
    }

    /// The values of the key's columns.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when the bytes are no key of columns of these types.
    pub fn values(&self, types: &[DataType]) -> Result<Vec<Value>, KeyError> {
        if let [only] = types {
            return Ok(vec![Value::decode(*only, &self.0)?]);
        }
        let malformed = |offset, cause| KeyError::Malformed { offset, cause };
        let (mut values, mut offset) = (Vec::with_capacity(types.len()), 0);
        for &data_type in types {
            let rest = &self.0[offset..];
            let size = match rest {
                [high, low, ..] => usize::from(u16::from_be_bytes([*high, *low])),
                _ => return Err(malformed(offset, "ends too early")),
            };
            let start = offset + 2;
            offset = start + size;
            if self.0.get(offset) != Some(&END_OF_COMPONENT) {
                return Err(malformed(offset, "no end of the component"));
            }
            values.push(Value::decode(data_type, &self.0.slice(start..offset))?);
            offset += 1;
        }
        if offset != self.0.len() {
            return Err(malformed(offset, "bytes left over"));
        }
        Ok(values)
    }
}

fn encode_several(values: &[Value]) -> Result<Bytes, KeyError> {
    let mut out = Vec::new();
    for value in values {
        let bytes = value.encode();
        let size = u16::try_from(bytes.len()).map_err(|_| KeyError::TooLarge {
            size: bytes.len(),
            size_max: PARTITION_KEY_SIZE_MAX,
        })?;
        out.extend(size.to_be_bytes());
        out.extend_from_slice(&bytes);
        out.push(END_OF_COMPONENT);
    }
    Ok(Bytes::from(out))
}

impl Token {
    /// The token of a key. The least number is no key's token: it stands for "before all".
    #[must_use]
    pub fn of(key: &PartitionKey) -> Token {
        match murmur::hash(&key.0).cast_signed() {
            i64::MIN => Token(i64::MAX),
            token => Token(token),
        }
    }
}

impl DecoratedKey {
    /// The key with its token.
    #[must_use]
    pub fn new(key: PartitionKey) -> DecoratedKey {
        DecoratedKey {
            token: Token::of(&key),
            key,
        }
    }

    /// Bytes that compare as decorated keys do, none a prefix of another.
    #[must_use]
    pub fn to_comparable(&self) -> Bytes {
        let mut out = Vec::with_capacity(self.key.0.len() + 12);
        self.append_comparable(&mut out);
        Bytes::from(out)
    }

    /// Appends what [`to_comparable`](Self::to_comparable) gives.
    pub fn append_comparable(&self, out: &mut Vec<u8>) {
        out.push(NEXT_COMPONENT);
        out.extend((self.token.0.cast_unsigned() ^ SIGN_BIT).to_be_bytes());
        out.push(NEXT_COMPONENT);
        escape::encode_into(&self.key.0, out);
        out.push(TERMINATOR);
    }

    /// The key of comparable bytes.
    ///
    /// # Errors
    /// [`KeyError::Malformed`], also when the token is not the key's.
    pub fn from_comparable(bytes: &[u8]) -> Result<DecoratedKey, KeyError> {
        let mut input = Input::new(bytes);
        if input.next()? != NEXT_COMPONENT {
            return Err(input.malformed("no token follows"));
        }
        let token = Token((input.big_endian(8)? ^ SIGN_BIT).cast_signed());
        if input.next()? != NEXT_COMPONENT {
            return Err(input.malformed("no key follows"));
        }
        let key = PartitionKey(Bytes::from(escape::decode(&mut input)?));
        if input.next()? != TERMINATOR {
            return Err(input.malformed("the key does not end"));
        }
        input.finish()?;
        if token != Token::of(&key) {
            return Err(input.malformed("the token is not the key's"));
        }
        Ok(DecoratedKey { token, key })
    }
}
