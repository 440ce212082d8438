//! Vocabulary of refused schema changes.

use crate::error::{Class, Classify};
use crate::keys::Text;

/// Why a schema change is refused, or an encoded one is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// There is a table of that name.
    #[error("table {table} exists already")]
    TableExists {
        /// `keyspace.name`.
        table: String,
    },
    /// There is no table of that name.
    #[error("table {table} does not exist")]
    UnknownTable {
        /// `keyspace.name`.
        table: String,
    },
    /// The table has no column of that name.
    #[error("table {table} has no column {column}")]
    UnknownColumn {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
    },
    /// Two columns of one name.
    #[error("table {table} has a column {column} already")]
    ColumnExists {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
    },
    /// A name that is no name.
    #[error("{name:?} is no name: a-z, then a-z, 0-9 and _, at most {size_max} bytes")]
    InvalidName {
        /// What was given.
        name: String,
        /// Size of the longest name.
        size_max: usize,
    },
    /// A keyspace that belongs to the engine.
    #[error("keyspace {keyspace} belongs to the system")]
    SystemKeyspace {
        /// The keyspace.
        keyspace: Text,
    },
    /// A table without a partition key.
    #[error("table {table} has no partition key")]
    NoPartitionKey {
        /// `keyspace.name`.
        table: String,
    },
    /// A static column in a table whose partitions hold one row.
    #[error("column {column} of {table} is static, but the table has no clustering columns")]
    StaticWithoutClustering {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
    },
    /// A column of the primary key can be neither added nor dropped.
    #[error("column {column} of {table} is part of the primary key")]
    KeyColumn {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
    },
    /// Keys are made of single values.
    #[error("column {column} of {table} is part of the primary key, and cannot be {data_type}")]
    KeyType {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
        /// The type it was to have.
        data_type: String,
    },
    /// A struct has fields, each of a name of its own.
    #[error("the struct of column {column} of {table} has no fields, or two of one name")]
    Fields {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
    },
    /// A dropped column may come back only as what it was: old cells of it may still be stored.
    #[error(
        "column {column} of {table} was {was} when it was dropped, and cannot come back as {now}"
    )]
    ColumnChanged {
        /// `keyspace.name`.
        table: String,
        /// The column.
        column: Text,
        /// Type and kind it had.
        was: String,
        /// Type and kind it is to have.
        now: String,
    },
    /// One of the limits.
    #[error("{what}: {count} exceeds the maximum of {count_max}")]
    Limit {
        /// What is limited.
        what: &'static str,
        /// How many there would be.
        count: usize,
        /// How many there may be.
        count_max: usize,
    },
    /// Bytes that are no encoded schema or change.
    #[error("not a schema: {cause}")]
    Encoding {
        /// What is wrong.
        cause: String,
    },
}

impl Classify for SchemaError {
    fn class(&self) -> Class {
        match self {
            SchemaError::Encoding { .. } => Class::Corruption,
            SchemaError::TableExists { .. }
            | SchemaError::UnknownTable { .. }
            | SchemaError::UnknownColumn { .. }
            | SchemaError::ColumnExists { .. }
            | SchemaError::InvalidName { .. }
            | SchemaError::SystemKeyspace { .. }
            | SchemaError::NoPartitionKey { .. }
            | SchemaError::StaticWithoutClustering { .. }
            | SchemaError::KeyColumn { .. }
            | SchemaError::KeyType { .. }
            | SchemaError::Fields { .. }
            | SchemaError::ColumnChanged { .. }
            | SchemaError::Limit { .. } => Class::Refused,
        }
    }
}
