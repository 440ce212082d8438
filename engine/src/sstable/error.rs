//! Vocabulary of failures of an sstable. Nothing is skipped, guessed or repaired: a wrong byte costs the
//! read, never a wrong answer.

use crate::error::{Class, Classify, IoFailure};

/// Why an sstable could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SstableError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// The bytes are not what was written.
    #[error("{file} is corrupt at offset {offset}: {flaw}")]
    Corrupt {
        /// Path of the file.
        file: String,
        /// Where the damaged part begins.
        offset: u64,
        /// What is wrong with it.
        flaw: Flaw,
    },
}

impl Classify for SstableError {
    fn class(&self) -> Class {
        match self {
            SstableError::Io(error) => error.class(),
            SstableError::Corrupt { .. } => Class::Corruption,
        }
    }
}

/// What is wrong with bytes of an sstable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file is not as long as its footer says, or too short to have one.
    #[error("the file has {actual} bytes, not {expected}")]
    FileSize {
        /// By the footer, or the least an sstable has.
        expected: u64,
        /// By the file system.
        actual: u64,
    },
    /// The file does not begin or end as an sstable does.
    #[error("the magic number is wrong")]
    Magic,
    /// Written by another version.
    #[error("the version {0} is unknown")]
    Version(u32),
    /// The checksum does not hold, or the bytes belong elsewhere.
    #[error("the bytes do not match their checksum")]
    Checksum,
    /// The header names another table or sstable than the file's name.
    #[error("the file belongs to sstable {table}-{id}")]
    Identity {
        /// The table in the header.
        table: u64,
        /// The sstable in the header.
        id: u64,
    },
    /// A handle that points outside the file.
    #[error("a handle points outside the file")]
    Handle,
    /// The file ends where there should be more.
    #[error("the file ends too early")]
    Ends,
    /// A block of another kind than its handle promised.
    #[error("the block has kind {found:#04x}, not {expected:#04x}")]
    Kind {
        /// By the handle.
        expected: u8,
        /// By the block.
        found: u8,
    },
    /// The block's own size and its handle's differ.
    #[error("the block and its handle disagree about its size")]
    BlockSize,
    /// A whole block holds what no writer writes.
    #[error("{0}")]
    Content(&'static str),
    /// A scan found other counts than the statistics say.
    #[error("the content and the statistics disagree")]
    Totals,
}

impl Flaw {
    /// This flaw, at a place of a file.
    #[must_use]
    pub fn at(self, file: &str, offset: u64) -> SstableError {
        SstableError::Corrupt {
            file: file.to_owned(),
            offset,
            flaw: self,
        }
    }
}
