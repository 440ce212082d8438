//! Vocabulary of answers: what happened to a request, as far as the node knows.

use serde::{Deserialize, Serialize};

use super::error::StatementError;
use crate::compaction::CompactionReport;
use crate::error::{Class, Error};
use crate::keys::{Text, Value};
use crate::metadata::MetadataError;
use crate::read::{ReadCommand, ReadResult, Stones};
use crate::schema::{ColumnKind, Epoch, SchemaError, Table};

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// To `Hello`: the session is open.
    Welcome {
        /// What to put in each packet from now on.
        session: u64,
    },
    /// To `Change`: the schema has changed, durably.
    Changed {
        /// The epoch of the change.
        epoch: Epoch,
    },
    /// To `Write`: it is applied, as durable as the node's mode promises.
    Written,
    /// To `Read`.
    Rows(ResultSet),
    /// To `Describe`: the live tables, ascending by id.
    Schema {
        /// The epoch they are from.
        epoch: Epoch,
        /// The tables.
        tables: Vec<Table>,
    },
    /// To `Flush`: what was written before is in files.
    Flushed,
    /// To `Compact`.
    Compacted(Box<CompactionReport>),
    /// To `Truncate`: what was written before is gone, durably.
    Truncated,
    /// To `MarkRepaired`: the sstables that the table had, durably.
    MarkedRepaired {
        /// How many were not repaired before.
        sstables_count: u64,
    },
    /// To `Stones`.
    Stones(Box<Stones>),
    /// To `SetSchemaFlushWindow`.
    WindowSet,
    /// To `Drain`: as `Flushed`, and the node takes no more writes.
    Drained,
    /// The request is definitely not applied, and never will be.
    Refused {
        /// Why.
        code: RefusalCode,
        /// Why, for people.
        message: String,
    },
    /// The request may have been applied, or be applied yet.
    Failed {
        /// Why.
        code: FailureCode,
        /// Why, for people.
        message: String,
    },
}

/// Why a request is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RefusalCode {
    /// There is no such table.
    UnknownTable,
    /// There is such a table.
    TableExists,
    /// The table has no such column.
    UnknownColumn,
    /// The table has such a column.
    ColumnExists,
    /// The request breaks some other rule, or a limit.
    Invalid,
    /// Something is in the way that passes: send it again later, with a new sequence number.
    Busy,
    /// The node drains, or has drained.
    Draining,
}

/// Why the outcome of a request is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FailureCode {
    /// The node has started again since the session began, or the client has opened another. This
    /// packet was not applied; an earlier copy of it may have been.
    SessionEnded,
    /// The machine failed at an operation, or its disk is full.
    Storage,
    /// Stored bytes are damaged.
    Corruption,
    /// The node stops.
    Stopped,
}

/// What a read shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultSet {
    /// Names of the clustering columns.
    pub clustering_names: Vec<Text>,
    /// Names of the regular columns shown.
    pub column_names: Vec<Text>,
    /// The static columns shown; `None` when the partition shows nothing. With `rows` empty they are
    /// the partition's only row.
    pub statics: Option<Vec<(Text, Option<Value>)>>,
    /// Visible rows in the order of the read.
    pub rows: Vec<ResultSetRow>,
}

/// A visible row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultSetRow {
    /// One value for each clustering column.
    pub clustering: Vec<Value>,
    /// One value, or null, for each regular column shown.
    pub columns: Vec<Option<Value>>,
}

impl ResultSet {
    /// The result of `command` with the names that `table` has for its columns.
    #[must_use]
    pub fn new(command: &ReadCommand, table: &Table, result: ReadResult) -> ResultSet {
        let names = |kind| -> Vec<Text> {
            command
                .shown(kind, table)
                .into_iter()
                .map(|column| column.name.clone())
                .collect()
        };
        let values = |columns: Vec<(_, Option<Value>)>| columns.into_iter().map(|(_, value)| value);
        let statics = |columns| {
            names(ColumnKind::Static)
                .into_iter()
                .zip(values(columns))
                .collect()
        };
        let rows = result.rows.into_iter().map(|row| ResultSetRow {
            clustering: row.clustering,
            columns: values(row.columns).collect(),
        });
        ResultSet {
            clustering_names: table
                .clustering()
                .map(|column| column.name.clone())
                .collect(),
            column_names: names(ColumnKind::Regular),
            statics: result.statics.map(statics),
            rows: rows.collect(),
        }
    }
}

impl Answer {
    /// The answer that tells of an error. What is refused, or in the way, is not applied; of everything
    /// else the outcome is unknown.
    #[must_use]
    pub fn of_error(error: &Error) -> Answer {
        let message = error.to_string();
        let failed = |code| Answer::Failed {
            code,
            message: error.to_string(),
        };
        match error.class() {
            Class::Refused => Answer::Refused {
                code: refusal(error),
                message,
            },
            Class::Busy => Answer::Refused {
                code: RefusalCode::Busy,
                message,
            },
            Class::Corruption => failed(FailureCode::Corruption),
            Class::DiskFull | Class::Io => failed(FailureCode::Storage),
            Class::Stopped => failed(FailureCode::Stopped),
        }
    }
}

fn refusal(error: &Error) -> RefusalCode {
    let of_statement = match error.downcast_ref() {
        Some(StatementError::Schema(schema)) => Some(schema),
        _ => None,
    };
    let of_change = match error.downcast_ref() {
        Some(MetadataError::Refused(schema)) => Some(schema),
        _ => None,
    };
    match of_statement.or(of_change).or_else(|| error.downcast_ref()) {
        Some(SchemaError::UnknownTable { .. }) => RefusalCode::UnknownTable,
        Some(SchemaError::TableExists { .. }) => RefusalCode::TableExists,
        Some(SchemaError::UnknownColumn { .. }) => RefusalCode::UnknownColumn,
        Some(SchemaError::ColumnExists { .. }) => RefusalCode::ColumnExists,
        _ => RefusalCode::Invalid,
    }
}
