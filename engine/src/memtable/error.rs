//! Vocabulary of what a memtable cannot take.

use crate::error::{Class, Classify};

/// Why a write does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemtableError {
    /// So much is held that a write might not fit. Nothing of it has happened yet.
    #[error(
        "the memtable of table {table} holds {size_bytes} bytes of {size_max_bytes}: a flush must come first"
    )]
    Full {
        /// The table's id.
        table: u64,
        /// Bytes of its trie.
        size_bytes: u64,
        /// Bytes that its trie may take.
        size_max_bytes: u64,
    },
    /// A write did not fit, and the memtable is as it was. The log may hold the write: the next start has it.
    #[error(
        "the memtable of table {table} cannot hold the write: its trie may take {size_max_bytes} bytes"
    )]
    Overrun {
        /// The table's id.
        table: u64,
        /// Bytes that its trie may take.
        size_max_bytes: u64,
    },
}

impl Classify for MemtableError {
    fn class(&self) -> Class {
        match self {
            MemtableError::Full { .. } => Class::Busy,
            MemtableError::Overrun { .. } => Class::Io,
        }
    }
}
