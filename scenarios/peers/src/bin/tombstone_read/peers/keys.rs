//! Byte layout of keys, the same for every peer that has one order for all: partition, then position.

use bytes::Bytes;
use cenotaph_engine::keys::{
    Bound, BoundSide, Clustering, ClusteringShape, DataType, DecoratedKey, PartitionKey, Value,
};

/// A number as a value of a `bigint` column.
pub(crate) fn number(number: u64) -> Value {
    Value::BigInt(i64::try_from(number).expect("the workload's numbers are small"))
}

/// The key of a partition.
pub(crate) fn partition(partition: u64) -> DecoratedKey {
    DecoratedKey::new(PartitionKey(Bytes::copy_from_slice(
        &partition.to_be_bytes(),
    )))
}

/// Positions of one `bigint` column.
pub(crate) struct Positions(ClusteringShape);

impl Positions {
    pub(crate) fn new() -> Positions {
        Positions(ClusteringShape::ascending(&[DataType::BigInt]))
    }

    pub(crate) fn row(&self, at: u64) -> Clustering {
        self.0.clustering(&[number(at)]).expect("a bigint fits")
    }

    pub(crate) fn bound(&self, at: u64, side: BoundSide) -> Bound {
        self.0.bound(&[number(at)], side).expect("a bigint fits")
    }
}

/// Partitions' keys, and positions after them.
pub(crate) struct Encoded {
    partitions: Vec<Bytes>,
    positions: Positions,
}

impl Encoded {
    pub(crate) fn new() -> Encoded {
        let partitions = (0..1_000).map(|number| partition(number).to_comparable());
        Encoded {
            partitions: partitions.collect(),
            positions: Positions::new(),
        }
    }

    fn join(&self, partition: u64, position: &[u8]) -> Vec<u8> {
        let partition = &self.partitions[usize::try_from(partition).expect("a small number")];
        [partition, position].concat()
    }

    pub(crate) fn row(&self, partition: u64, at: u64) -> Vec<u8> {
        self.join(partition, &self.positions.row(at).0)
    }

    pub(crate) fn before(&self, partition: u64, at: u64) -> Vec<u8> {
        self.join(partition, &self.positions.bound(at, BoundSide::Before).0)
    }

    pub(crate) fn after(&self, partition: u64, at: u64) -> Vec<u8> {
        self.join(partition, &self.positions.bound(at, BoundSide::After).0)
    }

    pub(crate) fn bottom(&self, partition: u64) -> Vec<u8> {
        self.join(partition, &Bound::BOTTOM.0)
    }

    pub(crate) fn top(&self, partition: u64) -> Vec<u8> {
        self.join(partition, &Bound::TOP.0)
    }
}
