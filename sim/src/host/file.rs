//! Vocabulary of open files: content by position, and what makes it durable.

use std::io;
use std::rc::Rc;

use bytes::Bytes;

use super::disk::{ask, done};
use crate::disk::Handle;
use crate::machine::{Operation, Place, Response};

/// An open file. Clones share one description, which is closed when the last is dropped.
#[derive(Clone, Debug)]
pub struct File {
    description: Description,
}

#[derive(Clone, Debug)]
enum Description {
    Simulated(Rc<Simulated>),
}

#[derive(Debug)]
struct Simulated {
    place: Rc<Place>,
    role: u64,
    handle: Handle,
}

impl Drop for Simulated {
    fn drop(&mut self) {
        if let Some(ground) = self.place.ground() {
            ground.close(&self.place, self.handle);
        }
    }
}

impl File {
    pub(super) fn simulated(place: &Rc<Place>, role: u64, handle: Handle) -> File {
        let simulated = Simulated {
            place: Rc::clone(place),
            role,
            handle,
        };
        File {
            description: Description::Simulated(Rc::new(simulated)),
        }
    }

    async fn ask(&self, request: impl FnOnce(Handle) -> Operation) -> io::Result<Response> {
        match &self.description {
            Description::Simulated(file) => ask(&file.place, file.role, request(file.handle)).await,
        }
    }

    /// Reads at most `size` bytes from `offset` on: fewer at the end of the file, none behind it,
    /// and fewer at any place when the read is short.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn read_at(&self, offset: u64, size: usize) -> io::Result<Bytes> {
        match self
            .ask(|handle| Operation::Read {
                handle,
                offset,
                size,
            })
            .await?
        {
            Response::Bytes(bytes) => Ok(bytes),
            other => unreachable!("a read answers with bytes, not {other:?}"),
        }
    }

    /// Writes a prefix of `bytes` at `offset` and says how many, at least one unless `bytes` is empty.
    /// What it wrote survives the process from then on, and a crash after a sync.
    ///
    /// # Errors
    /// `StorageFull`, or an I/O error: then nothing is known of the range.
    pub async fn write_at(&self, offset: u64, bytes: Bytes) -> io::Result<usize> {
        match self
            .ask(|handle| Operation::Write {
                handle,
                offset,
                bytes,
            })
            .await?
        {
            Response::Count(count) => Ok(count),
            other => unreachable!("a write answers with a count, not {other:?}"),
        }
    }

    /// Makes content durable, and the length that is needed to reach it.
    ///
    /// # Errors
    /// An I/O error: then nothing is known of what was written since the last good sync, and a
    /// second try proves nothing.
    pub async fn sync_data(&self) -> io::Result<()> {
        self.ask(|handle| Operation::SyncData { handle })
            .await
            .map(done)
    }

    /// Makes content and attributes durable; not the name, which is its directory's.
    ///
    /// # Errors
    /// As [`File::sync_data`].
    pub async fn sync_all(&self) -> io::Result<()> {
        self.ask(|handle| Operation::SyncAll { handle })
            .await
            .map(done)
    }

    /// The file's length in bytes.
    ///
    /// # Errors
    /// An I/O error.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a length that has to be asked for"
    )]
    pub async fn len(&self) -> io::Result<u64> {
        match self.ask(|handle| Operation::Len { handle }).await? {
            Response::Size(size) => Ok(size),
            other => unreachable!("a length answers with a size, not {other:?}"),
        }
    }

    /// Cuts the file, or extends it with zeros, to `size` bytes.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn truncate(&self, size: u64) -> io::Result<()> {
        self.ask(|handle| Operation::Truncate { handle, size })
            .await
            .map(done)
    }

    /// Reserves space for a range: later writes there cannot meet a full disk.
    ///
    /// # Errors
    /// `StorageFull`, or an I/O error.
    pub async fn preallocate(&self, offset: u64, size: u64) -> io::Result<()> {
        self.ask(|handle| Operation::Preallocate {
            handle,
            offset,
            size,
        })
        .await
        .map(done)
    }
}
