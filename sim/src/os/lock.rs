//! Invariants of locks: held by one open description of the system, in this process or another, until
//! it is closed.
#![expect(
    clippy::disallowed_types,
    reason = "the real machine's locks are the system's"
)]

use std::fs::{OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use super::error::told;
use crate::disk::DiskError;

/// Holds an advisory lock until it is dropped or its process ends.
#[derive(Debug)]
#[must_use = "a lock is given back when it is dropped"]
pub struct Lock {
    _file: std::fs::File,
}

/// Locks the file at `place`, which is made when missing; `path` is its name in errors.
pub(super) fn take(place: &Path, path: &str) -> io::Result<Lock> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(place)
        .map_err(|error| told(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(DiskError::Locked {
            path: path.to_owned(),
        }
        .into()),
        Err(TryLockError::Error(error)) => Err(told(path, &error)),
    }
}
