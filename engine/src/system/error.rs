//! Fault policy of the schema's rows: a row that is missing or left over is mended at the next start; one that
//! is no row of its table, or from an epoch that the metadata log does not reach, refuses the start.

use crate::error::{Class, Classify};
use crate::keys::Text;

/// A row of the schema's own tables that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// It says nothing that a schema can say.
    #[error("{row}: {cause}")]
    Row {
        /// Its table and key.
        row: String,
        /// What is wrong.
        cause: &'static str,
    },
    /// The metadata log has lost what was synced: the rows tell of later changes.
    #[error(
        "{table} of keyspace {keyspace} holds changes after epoch {epoch}, at which the metadata log ends"
    )]
    Ahead {
        /// The table.
        table: String,
        /// The partition.
        keyspace: Text,
        /// The last epoch of the metadata log.
        epoch: u64,
    },
}

impl Classify for SystemError {
    fn class(&self) -> Class {
        Class::Corruption
    }
}
