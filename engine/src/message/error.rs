//! Vocabulary of errors about messages and statements, sorted by who must act.

use crate::error::{Class, Classify};
use crate::keys::{ColumnType, DataType, KeyError, Text, ValueKind};
use crate::rows::RowsError;
use crate::schema::SchemaError;

/// Why a packet is no message. A packet that came so is dropped: whoever sent it sends it again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is too large to be sent.
    #[error("a message of {size} bytes, the maximum is {size_max}")]
    TooLarge {
        /// Its bytes.
        size: usize,
        /// The maximum.
        size_max: usize,
    },
    /// Another version of the software sent it.
    #[error("version {version} of the protocol is not known")]
    UnknownVersion {
        /// The version found.
        version: u8,
    },
    /// It was damaged on its way, or is none.
    #[error("byte {offset}: {cause}")]
    Malformed {
        /// Where.
        offset: usize,
        /// What is wrong there.
        cause: &'static str,
    },
}

impl Classify for MessageError {
    fn class(&self) -> Class {
        match self {
            MessageError::TooLarge { .. } => Class::Refused,
            MessageError::UnknownVersion { .. } | MessageError::Malformed { .. } => {
                Class::Corruption
            }
        }
    }
}

/// Why a statement does not fit its table. Its client must act, always.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// There is no such table or column.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The key is too large, empty, or no contiguous range of rows.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The write time is the reserved one.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Other key columns are named than the table has, or in another order.
    #[error("{table} needs its key columns ({expected}), given are ({got})")]
    KeyColumns {
        /// The table.
        table: String,
        /// Names in key order.
        expected: String,
        /// Names as given.
        got: String,
    },
    /// A value is of another type than its column.
    #[error("column {column} is {expected}, the value is {got}")]
    ValueType {
        /// The column.
        column: Text,
        /// Its type.
        expected: ColumnType,
        /// What the value is.
        got: ValueKind,
    },
    /// An element, or a key of one, is of another type than its column holds.
    #[error("an element of column {column} is {expected}, the value is {got}")]
    ElementType {
        /// The column.
        column: Text,
        /// The type of such elements.
        expected: DataType,
        /// What the value is.
        got: ValueKind,
    },
    /// A field that the column's struct does not have.
    #[error("the struct of column {column} has no field {field}")]
    UnknownField {
        /// The column.
        column: Text,
        /// The field.
        field: String,
    },
    /// Some elements of a column are changed that is one value.
    #[error("column {column} is {data_type}, and can only be set whole")]
    NoElements {
        /// The column.
        column: Text,
        /// Its type.
        data_type: ColumnType,
    },
    /// Elements without keys are removed by key.
    #[error("column {column} is {data_type}, and its elements cannot be removed by key")]
    NoKeys {
        /// The column.
        column: Text,
        /// Its type.
        data_type: ColumnType,
    },
    /// A key column is set, deleted or asked for as if it had cells.
    #[error("column {column} is part of the primary key")]
    KeyColumn {
        /// The column.
        column: Text,
    },
    /// A column is named twice, or set whole and in part.
    #[error("column {column} is named twice")]
    ColumnTwice {
        /// The column.
        column: Text,
    },
    /// A regular column is set, and no row is named.
    #[error("column {column} belongs to a row, and no row is named")]
    RowMissing {
        /// The column.
        column: Text,
    },
    /// A row is named, and nothing of it is set.
    #[error("a row is named, and only static columns are changed")]
    RowNotChanged,
    /// Nothing is changed.
    #[error("no column is named")]
    NoColumns,
    /// A range deletion without an edge, or an edge without a value.
    #[error("a range of rows needs an edge, and an edge needs a value")]
    NoEdge,
    /// A deletion cannot expire.
    #[error("a deletion has no TTL")]
    DeletionTtl,
    /// A TTL that is too long.
    #[error("a TTL of {ttl_seconds} s, the maximum is {ttl_seconds_max} s")]
    TtlTooLong {
        /// As asked for.
        ttl_seconds: u32,
        /// The maximum.
        ttl_seconds_max: u32,
    },
    /// The machine's clock stands so late that the expiry cannot be told.
    #[error("a TTL of {ttl_seconds} s from second {now_seconds} ends after the last second")]
    ExpiryTooLate {
        /// As asked for.
        ttl_seconds: u32,
        /// The wall second now.
        now_seconds: u32,
    },
    /// `LIMIT 0`.
    #[error("a limit is at least 1")]
    LimitZero,
    /// `ORDER BY` of anything but the first clustering column.
    #[error("rows are ordered by the first clustering column, not by {column}")]
    OrderBy {
        /// The column asked for.
        column: Text,
    },
}

impl Classify for StatementError {
    fn class(&self) -> Class {
        Class::Refused
    }
}
