//! Steps of calls on an open file: refuse what the simulated disk would refuse, then ask the system,
//! beside the event loop.
#![expect(
    clippy::disallowed_types,
    reason = "the real machine's files are the system's"
)]

use std::io;
use std::os::unix::fs::FileExt;
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use rustix::fs::{FallocateFlags, fallocate};

use super::error::told;
use super::machine::Machine;
use crate::disk::{Access, DiskError, DiskResult, FILE_SIZE_MAX};

/// Bytes that one read gives at most, so that no caller's size decides how much memory is taken.
const READ_SIZE_MAX: usize = 4 << 20;

/// An open file. Clones share one description.
#[derive(Clone, Debug)]
pub struct File {
    machine: Rc<Machine>,
    open: Arc<Open>,
}

/// What a call needs beside the event loop.
#[derive(Debug)]
pub(super) struct Open {
    file: std::fs::File,
    path: String,
    may_write: bool,
}

impl Open {
    pub(super) fn new(file: std::fs::File, path: String, access: Access) -> Open {
        let may_write = access != Access::Read;
        Open {
            file,
            path,
            may_write,
        }
    }

    fn told(&self, error: &io::Error) -> io::Error {
        told(&self.path, error)
    }

    fn check_write(&self, offset: u64, size: u64) -> DiskResult<()> {
        let path = || self.path.clone();
        if !self.may_write {
            return Err(DiskError::ReadOnlyHandle { path: path() });
        }
        let end = offset.saturating_add(size);
        if end > FILE_SIZE_MAX {
            return Err(DiskError::FileTooLarge {
                path: path(),
                size: end,
            });
        }
        Ok(())
    }

    fn read_at(&self, offset: u64, size: usize) -> io::Result<Bytes> {
        if i64::try_from(offset).is_err() {
            // No file reaches that far, and the system would call it a mistake.
            return Ok(Bytes::new());
        }
        let mut bytes = vec![0_u8; size.min(READ_SIZE_MAX)];
        let count = uninterrupted(|| self.file.read_at(&mut bytes, offset))?;
        if count < bytes.len() {
            bytes.truncate(count);
            bytes.shrink_to_fit();
        }
        Ok(Bytes::from(bytes))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        self.check_write(offset, bytes.len() as u64)?;
        let count = uninterrupted(|| self.file.write_at(bytes, offset))?;
        if count == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        Ok(count)
    }

    fn truncate(&self, size: u64) -> io::Result<()> {
        self.check_write(size, 0)?;
        self.file.set_len(size)
    }

    /// The system's own reservation: content below the old length stays, the file grows by zeros.
    /// No other way would do: a longer length reserves nothing, and zeros written by hand may hit
    /// what another call wrote in between.
    fn preallocate(&self, offset: u64, size: u64) -> io::Result<()> {
        self.check_write(offset, size)?;
        if size == 0 {
            return Ok(());
        }
        let flags = FallocateFlags::empty();
        uninterrupted(|| fallocate(&self.file, flags, offset, size).map_err(io::Error::from))
    }
}

/// Asks again when a signal came in between.
fn uninterrupted<T>(mut ask: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match ask() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            answer => return answer,
        }
    }
}

impl File {
    pub(super) fn new(machine: &Rc<Machine>, open: Open) -> File {
        File {
            machine: Rc::clone(machine),
            open: Arc::new(open),
        }
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Open) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let open = Arc::clone(&self.open);
        let work = move || work(&open).map_err(|error| open.told(&error));
        self.machine.beside_loop(work).await
    }

    /// Reads at most `size` bytes from `offset` on, and at most 4 MiB.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn read_at(&self, offset: u64, size: usize) -> io::Result<Bytes> {
        self.ask(move |open| open.read_at(offset, size)).await
    }

    /// Writes a prefix of `bytes` at `offset` and says how many.
    ///
    /// # Errors
    /// `StorageFull`, `PermissionDenied` when opened to read, or an I/O error.
    pub async fn write_at(&self, offset: u64, bytes: Bytes) -> io::Result<usize> {
        self.ask(move |open| open.write_at(offset, &bytes)).await
    }

    /// Makes content durable, and the length that is needed to reach it.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn sync_data(&self) -> io::Result<()> {
        self.ask(|open| open.file.sync_data()).await
    }

    /// Makes content and attributes durable.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn sync_all(&self) -> io::Result<()> {
        self.ask(|open| open.file.sync_all()).await
    }

    /// The file's length in bytes.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn len(&self) -> io::Result<u64> {
        self.ask(|open| Ok(open.file.metadata()?.len())).await
    }

    /// Cuts the file, or extends it with zeros, to `size` bytes.
    ///
    /// # Errors
    /// `PermissionDenied` when opened to read, or an I/O error.
    pub async fn truncate(&self, size: u64) -> io::Result<()> {
        self.ask(move |open| open.truncate(size)).await
    }

    /// Reserves space for a range, and extends the file to its end when it is shorter.
    ///
    /// # Errors
    /// `StorageFull`, `Unsupported` when the file system cannot reserve, or an I/O error.
    pub async fn preallocate(&self, offset: u64, size: u64) -> io::Result<()> {
        self.ask(move |open| open.preallocate(offset, size)).await
    }
}
