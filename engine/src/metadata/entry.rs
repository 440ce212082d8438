//! Byte layout of entries; `FORMAT.md` says it in full.

use super::error::MetadataError;
use crate::record::{FileName, Record, RecordError};
use crate::schema::{Change, Epoch, Schema, SchemaError};

const EPOCH_SIZE: usize = 8;

/// The bytes of the change that leads to `epoch`.
pub(super) fn encode(epoch: Epoch, change: &Change) -> Result<Vec<u8>, SchemaError> {
    let mut bytes = epoch.0.to_le_bytes().to_vec();
    bytes.extend_from_slice(&change.encode()?);
    Ok(bytes)
}

/// The schema after the entry in `record` of the file called `name`.
pub(super) fn enact(
    schema: &Schema,
    name: FileName,
    record: &Record,
) -> Result<Schema, MetadataError> {
    let (file, offset) = (name.to_string(), record.end);
    let Some((epoch, change)) = record.payload.split_first_chunk::<EPOCH_SIZE>() else {
        let cause = "an entry without an epoch".to_owned();
        return Err(RecordError::Content {
            file,
            offset,
            cause,
        }
        .into());
    };
    let (expected, found) = (schema.epoch().next().0, u64::from_le_bytes(*epoch));
    if found != expected {
        return Err(MetadataError::EpochGap {
            file,
            offset,
            expected,
            found,
        });
    }
    let next = Change::decode(change).and_then(|change| schema.apply(&change));
    next.map_err(|cause| MetadataError::Entry {
        file,
        offset,
        cause: Box::new(cause),
    })
}
