//! Fault policy of a flush: one that failed leaves its memtable readable and its part of the commit log in
//! place, whatever later flushes do; its caller is told; the next flush of the table tries it again.

use crate::commitlog::CommitLogError;
use crate::error::{Class, Classify, IoFailure};
use crate::sstable::SstableError;
use crate::store::StoreError;

/// A failed flush.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlushError {
    /// The machine failed.
    #[error(transparent)]
    Io(#[from] IoFailure),
    /// The sstable could not be written, or read again.
    #[error(transparent)]
    Sstable(#[from] SstableError),
    /// The manifest could not take it, or the table is gone.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The commit log.
    #[error(transparent)]
    CommitLog(#[from] CommitLogError),
}

impl Classify for FlushError {
    fn class(&self) -> Class {
        match self {
            FlushError::Io(error) => error.class(),
            FlushError::Sstable(error) => error.class(),
            FlushError::Store(error) => error.class(),
            FlushError::CommitLog(error) => error.class(),
        }
    }
}
