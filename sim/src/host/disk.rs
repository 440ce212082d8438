//! Vocabulary of a machine's disk: names. Paths are relative, with `/`; the root directory is `""`.

use std::future::pending;
use std::io;
use std::rc::Rc;

use super::file::File;
use super::machine::World;
use crate::disk::{Access, LockId};
use crate::machine::{Operation, Place, Response, Submitted, role_hash, role_of};
#[cfg(feature = "os")]
use crate::os;

/// The machine's disk.
#[derive(Clone, Debug)]
pub struct Disk {
    pub(super) world: World,
}

/// Holds an advisory lock until it is dropped or its process ends.
#[derive(Debug)]
#[must_use = "a lock is given back when it is dropped"]
pub struct Lock {
    _held: Held,
}

#[derive(Debug)]
enum Held {
    Simulated {
        _lock: Simulated,
    },
    #[cfg(feature = "os")]
    Real {
        _lock: os::Lock,
    },
}

#[derive(Debug)]
struct Simulated {
    place: Rc<Place>,
    id: LockId,
}

impl Drop for Simulated {
    fn drop(&mut self) {
        if let Some(ground) = self.place.ground() {
            ground.unlock(&self.place, self.id);
        }
    }
}

/// Makes a request; never answers in an incarnation that has ended.
pub(super) async fn ask(
    place: &Rc<Place>,
    role: u64,
    operation: Operation,
) -> io::Result<Response> {
    let Some(ground) = place.ground() else {
        return pending().await;
    };
    let submitted: Submitted = ground.submit(place, role, operation);
    drop(ground);
    submitted.await
}

/// The answer to a request that only succeeds or fails.
pub(super) fn done(response: Response) {
    assert!(
        matches!(response, Response::Done),
        "the request answers with nothing else"
    );
}

/// A request on a name that only succeeds or fails.
async fn simple(place: &Rc<Place>, path: &str, operation: Operation) -> io::Result<()> {
    ask(place, role_hash(role_of(path)), operation)
        .await
        .map(done)
}

impl Disk {
    /// Opens a file.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `StorageFull`, or an I/O error.
    pub async fn open(&self, path: &str, mode: Access) -> io::Result<File> {
        match &self.world {
            World::Simulated(place) => {
                let role = role_hash(role_of(path));
                let operation = Operation::Open {
                    path: path.to_owned(),
                    access: mode,
                };
                match ask(place, role, operation).await? {
                    Response::Handle(handle) => Ok(File::simulated(place, role, handle)),
                    other => unreachable!("an open answers with a handle, not {other:?}"),
                }
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.open(path, mode).await.map(File::real),
        }
    }

    /// Renames a file or directory, replacing a file of the new name. Durable after
    /// [`Disk::sync_dir`] of both directories.
    ///
    /// # Errors
    /// `NotFound`, or an I/O error.
    pub async fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::Rename {
                    from: from.to_owned(),
                    to: to.to_owned(),
                };
                simple(place, from, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.rename(from, to).await,
        }
    }

    /// Removes a file's name. Durable after [`Disk::sync_dir`]; open descriptions live on.
    ///
    /// # Errors
    /// `NotFound`, or an I/O error.
    pub async fn remove(&self, path: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::Remove {
                    path: path.to_owned(),
                };
                simple(place, path, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.remove(path).await,
        }
    }

    /// Gives a file a second name.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, or an I/O error.
    pub async fn link(&self, existing: &str, new: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::Link {
                    existing: existing.to_owned(),
                    new: new.to_owned(),
                };
                simple(place, existing, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.link(existing, new).await,
        }
    }

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// `NotFound`, or an I/O error.
    pub async fn list(&self, dir: &str) -> io::Result<Vec<String>> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::List {
                    path: dir.to_owned(),
                };
                match ask(place, role_hash(role_of(dir)), operation).await? {
                    Response::Names(names) => Ok(names),
                    other => unreachable!("a list answers with names, not {other:?}"),
                }
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.list(dir).await,
        }
    }

    /// Makes a directory. Durable after [`Disk::sync_dir`] of its parent.
    ///
    /// # Errors
    /// `AlreadyExists`, `NotFound` for the parent, or an I/O error.
    pub async fn create_dir(&self, path: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::CreateDir {
                    path: path.to_owned(),
                };
                simple(place, path, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.create_dir(path).await,
        }
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// `NotFound`, `DirectoryNotEmpty`, or an I/O error.
    pub async fn remove_dir(&self, path: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::RemoveDir {
                    path: path.to_owned(),
                };
                simple(place, path, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.remove_dir(path).await,
        }
    }

    /// Makes the names in a directory durable, as they are now.
    ///
    /// # Errors
    /// `NotFound`, or an I/O error: then nothing is known of any name changed since the last sync.
    pub async fn sync_dir(&self, dir: &str) -> io::Result<()> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::SyncDir {
                    path: dir.to_owned(),
                };
                simple(place, dir, operation).await
            }
            #[cfg(feature = "os")]
            World::Real(machine) => machine.sync_dir(dir).await,
        }
    }

    /// Takes an advisory lock on a path.
    ///
    /// # Errors
    /// `WouldBlock` when another holds it, or an I/O error.
    pub async fn lock(&self, path: &str) -> io::Result<Lock> {
        match &self.world {
            World::Simulated(place) => {
                let operation = Operation::Lock {
                    path: path.to_owned(),
                };
                match ask(place, role_hash(role_of(path)), operation).await? {
                    Response::Lock(id) => {
                        let place = Rc::clone(place);
                        let lock = Simulated { place, id };
                        Ok(Lock {
                            _held: Held::Simulated { _lock: lock },
                        })
                    }
                    other => unreachable!("a lock answers with a lock, not {other:?}"),
                }
            }
            #[cfg(feature = "os")]
            World::Real(machine) => {
                let lock = machine.lock(path).await?;
                Ok(Lock {
                    _held: Held::Real { _lock: lock },
                })
            }
        }
    }
}
