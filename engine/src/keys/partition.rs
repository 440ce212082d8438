//! Byte layout of partition keys: the encoded components; partitions are ordered by token, then key.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

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
