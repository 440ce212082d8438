//! Byte layout of encoded changes and schemas: one version byte, then postcard of the value. What was
//! decoded keeps every rule that an applied change keeps; bytes left over are an error.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::epoch::Epoch;
use super::error::SchemaError;
use super::table::Table;
use super::validate;
use super::value::Schema;
use crate::limits::{CHANGE_SIZE_MAX, EPOCH_MAX};
use crate::rows::TableId;

/// Version of the layout of changes.
const CHANGE_VERSION: u8 = 3;
/// Version of the layout of schemas.
const SCHEMA_VERSION: u8 = 3;

/// A schema as it is encoded.
#[derive(Serialize, Deserialize)]
struct Image {
    epoch: Epoch,
    tables: Vec<Table>,
    dropped: Vec<(TableId, Epoch)>,
}

impl Change {
    /// The change's bytes.
    ///
    /// # Errors
    /// [`SchemaError::Limit`] when they exceed [`CHANGE_SIZE_MAX`].
    pub fn encode(&self) -> Result<Vec<u8>, SchemaError> {
        let bytes = encode(CHANGE_VERSION, self);
        validate::count("bytes of a schema change", bytes.len(), CHANGE_SIZE_MAX)?;
        Ok(bytes)
    }

    /// The change of these bytes.
    ///
    /// # Errors
    /// [`SchemaError::Encoding`] when they are none.
    pub fn decode(bytes: &[u8]) -> Result<Change, SchemaError> {
        decode(CHANGE_VERSION, bytes)
    }
}

impl Schema {
    /// The schema's bytes: tables and dropped ids ascend.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let image = Image {
            epoch: self.epoch,
            tables: self
                .tables
                .values()
                .map(|table| Table::clone(table))
                .collect(),
            dropped: self
                .dropped
                .iter()
                .map(|(id, epoch)| (*id, *epoch))
                .collect(),
        };
        encode(SCHEMA_VERSION, &image)
    }

    /// The schema of these bytes.
    ///
    /// # Errors
    /// [`SchemaError::Encoding`] when they are none, or another reason when a table breaks a rule.
    pub fn decode(bytes: &[u8]) -> Result<Schema, SchemaError> {
        let image: Image = decode(SCHEMA_VERSION, bytes)?;
        if image.epoch.0 > EPOCH_MAX {
            return Err(contradiction("an epoch beyond all epochs".to_owned()));
        }
        let mut schema = Schema {
            epoch: image.epoch,
            ..Schema::empty()
        };
        for table in image.tables {
            validate::decoded(&table)?;
            let id = table.id;
            if schema
                .names
                .insert(Arc::new(table.name.clone()), id)
                .is_some()
            {
                return Err(contradiction(format!(
                    "two tables are called {}",
                    table.name
                )));
            }
            if id.0 > table.altered.0 || table.altered > schema.epoch || id.0 == 0 {
                return Err(contradiction(format!(
                    "table {} is of no epoch",
                    table.name
                )));
            }
            if schema.tables.get_max().is_some_and(|(last, _)| *last >= id) {
                return Err(contradiction("table ids do not ascend".to_owned()));
            }
            schema.tables.insert(id, Arc::new(table));
        }
        for (id, epoch) in image.dropped {
            let possible = id.0 < epoch.0 && epoch <= schema.epoch && id.0 > 0;
            if !possible || schema.tables.contains_key(&id) {
                return Err(contradiction(format!(
                    "table id {} cannot be dropped",
                    id.0
                )));
            }
            if schema
                .dropped
                .get_max()
                .is_some_and(|(last, _)| *last >= id)
            {
                return Err(contradiction("dropped ids do not ascend".to_owned()));
            }
            schema.dropped.insert(id, epoch);
        }
        Ok(schema)
    }
}

fn contradiction(cause: String) -> SchemaError {
    SchemaError::Encoding { cause }
}

fn encode<T: Serialize>(version: u8, value: &T) -> Vec<u8> {
    postcard::to_extend(value, vec![version]).expect("a vector takes any value")
}

fn decode<T: DeserializeOwned>(version: u8, bytes: &[u8]) -> Result<T, SchemaError> {
    let Some((first, rest)) = bytes.split_first() else {
        return Err(contradiction("no bytes".to_owned()));
    };
    if *first != version {
        return Err(contradiction(format!("version {first} is unknown")));
    }
    match postcard::take_from_bytes(rest) {
        Ok((value, [])) => Ok(value),
        Ok((_, left)) => Err(contradiction(format!("{} bytes left over", left.len()))),
        Err(error) => Err(contradiction(error.to_string())),
    }
}
