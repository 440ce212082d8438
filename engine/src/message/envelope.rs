//! Vocabulary of packets between a client and the node.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::statement::{NamedValue, ReadStatement, WriteStatement};
use crate::schema::{Change, TableName};

/// A packet to the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The session that `Welcome` named; 0 in `Hello`.
    pub session: u64,
    /// Rises with each request of a session, from 1; a copy of a packet has the same. In `Hello` it
    /// rises with each session that the client asks for.
    pub sequence: u64,
    /// What is asked.
    pub body: Request,
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// To open a session, in place of the client's earlier one.
    Hello {
        /// Which client; no two that live at a time share a number.
        client: u64,
    },
    /// To change the schema.
    Change(Change),
    /// To change a partition.
    Write(WriteStatement),
    /// To read a partition.
    Read(ReadStatement),
    /// To tell the schema.
    Describe,
    /// To write memtables to files.
    Flush {
        /// Of one table, or of all.
        table: Option<TableName>,
    },
    /// To merge all sstables of a table into one, and drop what may be dropped.
    Compact {
        /// Of one table, or of all, one after the other.
        table: Option<TableName>,
    },
    /// To empty a table.
    Truncate {
        /// The table.
        table: TableName,
    },
    /// To note that all sstables of a table were repaired: other replicas have what is in them.
    MarkRepaired {
        /// The table.
        table: TableName,
    },
    /// To show the deletions that are stored of a partition.
    Stones {
        /// The table.
        table: TableName,
        /// Every column of the partition key, in key order.
        partition_key: Vec<NamedValue>,
    },
    /// To set `schema_flush_coalescing_window` from now on.
    SetSchemaFlushWindow {
        /// In milliseconds; 0 flushes in every change.
        millis: u64,
    },
    /// To flush all, and take no more writes.
    Drain,
}

/// A packet to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The session of the packet that is answered.
    pub session: u64,
    /// The sequence number of the packet that is answered.
    pub sequence: u64,
    /// The wall second at which the node executed the request, in unix seconds: what it deleted, or let
    /// expire, counts from it, and what it read was alive at it.
    pub now_seconds: u32,
    /// The answer.
    pub body: Answer,
}

impl fmt::Display for Request {
    /// CQL, or the shell's command where CQL has none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Hello { client } => write!(f, ".hello {client}"),
            Request::Change(change) => write!(f, "{change}"),
            Request::Write(statement) => write!(f, "{statement}"),
            Request::Read(statement) => write!(f, "{statement}"),
            Request::Describe => f.write_str("DESCRIBE TABLES;"),
            Request::Flush { table: None } => f.write_str(".flush"),
            Request::Flush { table: Some(table) } => write!(f, ".flush {table}"),
            Request::Compact { table: None } => f.write_str(".compact"),
            Request::Compact { table: Some(table) } => write!(f, ".compact {table}"),
            Request::Truncate { table } => write!(f, "TRUNCATE {table};"),
            Request::MarkRepaired { table } => write!(f, ".mark-repaired {table}"),
            Request::Stones {
                table,
                partition_key,
            } => {
                write!(f, ".stones {table}")?;
                for (name, value) in partition_key {
                    write!(f, " {name}={value}")?;
                }
                Ok(())
            }
            Request::SetSchemaFlushWindow { millis } => {
                write!(f, ".set schema_flush_coalescing_window {millis}ms")
            }
            Request::Drain => f.write_str(".drain"),
        }
    }
}
