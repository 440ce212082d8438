//! Vocabulary of open files: content by position, and what makes it durable.

use std::io;
use std::rc::Rc;

use bytes::Bytes;

use super::disk::{ask, done};
use crate::disk::Handle;
use crate::machine::{Operation, Place, Response};
#[cfg(feature = "os")]
use crate::os;

/// An open file. Clones share one description, which is closed when the last is dropped.
#[derive(Clone, Debug)]
pub struct File {
    description: Description,
}

#[derive(Clone, Debug)]
enum Description {
    Simulated(Rc<Simulated>),
    #[cfg(feature = "os")]
    Real(os::File),
}

#[derive(Debug)]
struct Simulated {
    place: Rc<Place>,
    role: u64,
    handle: Handle,
}

impl Simulated {
    async fn ask(&self, request: impl FnOnce(Handle) -> Operation) -> io::Result<Response> {
        ask(&self.place, self.role, request(self.handle)).await
    }
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

    #[cfg(feature = "os")]
    pub(super) fn real(file: os::File) -> File {
        File {
            description: Description::Real(file),
        }
    }

    /// Reads at most `size` bytes from `offset` on: fewer at the end of the file, none behind it,
    /// and fewer at any place when the read is short.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn read_at(&self, offset: u64, size: usize) -> io::Result<Bytes> {
        match &self.description {
            Description::Simulated(file) => {
                match file
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
            #[cfg(feature = "os")]
            Description::Real(file) => file.read_at(offset, size).await,
        }
    }

    /// Writes a prefix of `bytes` at `offset` and says how many, at least one unless `bytes` is empty.
    /// What it wrote survives the process from then on, and a crash after a sync.
    ///
    /// # Errors
    /// `StorageFull`, or an I/O error: then nothing is known of the range.
    pub async fn write_at(&self, offset: u64, bytes: Bytes) -> io::Result<usize> {
        match &self.description {
            Description::Simulated(file) => {
                match file
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
            #[cfg(feature = "os")]
            Description::Real(file) => file.write_at(offset, bytes).await,
        }
    }

    /// Makes content durable, and the length that is needed to reach it.
    ///
    /// # Errors
    /// An I/O error: then nothing is known of what was written since the last good sync, and a
    /// second try proves nothing.
    pub async fn sync_data(&self) -> io::Result<()> {
        match &self.description {
            Description::Simulated(file) => file
                .ask(|handle| Operation::SyncData { handle })
                .await
                .map(done),
            #[cfg(feature = "os")]
            Description::Real(file) => file.sync_data().await,
        }
    }

    /// Makes content and attributes durable; not the name, which is its directory's.
    ///
    /// # Errors
    /// As [`File::sync_data`].
    pub async fn sync_all(&self) -> io::Result<()> {
        match &self.description {
            Description::Simulated(file) => file
                .ask(|handle| Operation::SyncAll { handle })
                .await
                .map(done),
            #[cfg(feature = "os")]
            Description::Real(file) => file.sync_all().await,
        }
    }

    /// The file's length in bytes.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn len(&self) -> io::Result<u64> {
        match &self.description {
            Description::Simulated(file) => {
                match file.ask(|handle| Operation::Len { handle }).await? {
                    Response::Size(size) => Ok(size),
                    other => unreachable!("a length answers with a size, not {other:?}"),
                }
            }
            #[cfg(feature = "os")]
            Description::Real(file) => file.len().await,
        }
    }

    /// Cuts the file, or extends it with zeros, to `size` bytes.
    ///
    /// # Errors
    /// An I/O error.
    pub async fn truncate(&self, size: u64) -> io::Result<()> {
        match &self.description {
            Description::Simulated(file) => file
                .ask(|handle| Operation::Truncate { handle, size })
                .await
                .map(done),
            #[cfg(feature = "os")]
            Description::Real(file) => file.truncate(size).await,
        }
    }

    /// Reserves space for a range: later writes there cannot meet a full disk. Extends the file with
    /// zeros to the range's end when it is shorter; what it holds stays.
    ///
    /// # Errors
    /// `StorageFull`, `Unsupported` when a real file system cannot reserve, or an I/O error.
    pub async fn preallocate(&self, offset: u64, size: u64) -> io::Result<()> {
        match &self.description {
            Description::Simulated(file) => file
                .ask(|handle| Operation::Preallocate {
                    handle,
                    offset,
                    size,
                })
                .await
                .map(done),
            #[cfg(feature = "os")]
            Description::Real(file) => file.preallocate(offset, size).await,
        }
    }
}
