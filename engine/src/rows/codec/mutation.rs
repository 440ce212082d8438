//! Byte layout of mutations: version, table, partition key, partition.

use crate::keys::{DecoratedKey, PartitionKey};
use crate::limits::{MUTATION_SIZE_MAX, PARTITION_KEY_SIZE_MAX};
use crate::rows::error::RowsError;
use crate::rows::mutation::{Mutation, TableId};
use crate::rows::partition::Partition;
use crate::rows::wire::{Input, put_bytes, put_varint};

const MUTATION_VERSION: u8 = 2;
/// Most mutations are smaller: room for one at once, rather than for half of it again and again.
const SIZE_USUAL: usize = 128;

impl Mutation {
    /// The bytes of the mutation, its version first.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(SIZE_USUAL);
        out.push(MUTATION_VERSION);
        put_varint(self.table.0, &mut out);
        put_bytes(&self.key.key.0, &mut out);
        self.update.encode_into(&mut out);
        out
    }

    /// Reads a mutation that fills `bytes`.
    ///
    /// # Errors
    /// [`RowsError`] when the bytes are none of a known version.
    pub fn decode(bytes: &[u8]) -> Result<Mutation, RowsError> {
        let mut input = Input::new(bytes);
        if bytes.len() > MUTATION_SIZE_MAX {
            return Err(input.malformed("a mutation above the maximum size"));
        }
        let version = input.byte()?;
        if version != MUTATION_VERSION {
            return Err(RowsError::UnknownVersion { version });
        }
        let table = TableId(input.varint()?);
        let key = input.sized_bytes()?;
        if key.is_empty() || key.len() > PARTITION_KEY_SIZE_MAX {
            return Err(input.malformed("a partition key of no possible size"));
        }
        let key = DecoratedKey::new(PartitionKey(key));
        let update = Partition::decode_from(&mut input)?;
        input.finish()?;
        Ok(Mutation { table, key, update })
    }
}
