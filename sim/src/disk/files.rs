//! Steps: what calls on open files do, all of it in the page cache.

use std::sync::Arc;

use bytes::Bytes;

use super::content::Content;
use super::error::{DiskError, DiskResult};
use super::inode::{Ino, Node};
use super::options::{Access, FILE_SIZE_MAX, Handle, LockId};
use super::volume::{Description, Disk};

impl Disk {
    /// Opens a file, and makes it when `access` says so.
    ///
    /// # Errors
    /// When the name is missing, taken, or not a file's.
    pub fn open(&mut self, path: &str, access: Access) -> DiskResult<Handle> {
        self.mirror(|medium| drop(medium.open(path, access)));
        self.admit_look(path)?;
        let ino = self.find_or_create(path, access)?;
        let content = self.inode(ino).content();
        let errors_seen = content.map_or(0, |content| content.write_errors);
        let handle = self.next_handle;
        self.next_handle += 1;
        let may_write = access != Access::Read;
        let description = Description {
            ino,
            may_write,
            path: Arc::from(path),
            errors_seen,
            is_stale: false,
        };
        Arc::make_mut(&mut self.descriptions).push((handle, description));
        Ok(Handle(handle))
    }

    fn find_or_create(&mut self, path: &str, access: Access) -> DiskResult<Ino> {
        if path.is_empty() {
            return Err(DiskError::IsADirectory {
                path: path.to_owned(),
            });
        }
        let (parent, name) = self.parent(path)?;
        let Some(&ino) = self.directory(parent).cached.get(name) else {
            if matches!(access, Access::Read | Access::Write) {
                return Err(DiskError::NotFound {
                    path: path.to_owned(),
                });
            }
            self.admit_change(path)?;
            let ino = self.add_inode(Node::File(Content::default()));
            self.add_name(parent, name, ino);
            return Ok(ino);
        };
        if access == Access::CreateNew {
            return Err(DiskError::AlreadyExists {
                path: path.to_owned(),
            });
        }
        if self.inode(ino).is_dir() {
            return Err(DiskError::IsADirectory {
                path: path.to_owned(),
            });
        }
        self.admit_inode(ino, path)?;
        Ok(ino)
    }

    /// Closes a handle, and says what went wrong where a close writes the file out.
    ///
    /// # Errors
    /// Where the profile's closes sync, as [`Disk::sync_data`]; the handle is closed all the same.
    pub fn close_reporting(&mut self, handle: Handle) -> DiskResult<()> {
        let may_write = self.description(handle).map(|open| open.may_write);
        let answer = match may_write {
            Ok(true) if self.constraints().close_syncs => self.sync_data(handle),
            known => known.map(drop),
        };
        self.forget(handle);
        answer
    }

    /// Closes a handle; one that is closed already stays so.
    pub fn close(&mut self, handle: Handle) {
        // Who does not ask is not told.
        let _ = self.close_reporting(handle);
    }

    fn forget(&mut self, handle: Handle) {
        self.mirror(|medium| medium.forget(handle));
        let found = self
            .descriptions
            .binary_search_by_key(&handle.0, |entry| entry.0);
        if let Ok(index) = found {
            let (_, description) = Arc::make_mut(&mut self.descriptions).remove(index);
            if self.content(description.ino).pending.has_cut_to_nothing() {
                self.allocate_replacement(description.ino);
            }
            self.drop_open(description.ino);
        }
    }

    /// Reads at most `size` bytes from `offset`; fewer only at the end of the file.
    ///
    /// # Errors
    /// When the handle is closed, or a sector in the range cannot be read.
    pub fn read_at(&self, handle: Handle, offset: u64, size: usize) -> DiskResult<Bytes> {
        self.admit_look_at(handle)?;
        match self.read_of(self.description(handle)?.ino, offset, size) {
            Some(bytes) => Ok(Bytes::from(bytes)),
            None => Err(self.unreadable(handle)?),
        }
    }

    /// Writes `bytes`, and says how many: fewer when the space ran out midway.
    ///
    /// # Errors
    /// When there is no space for one byte, the handle does not allow it, or a sector that the range
    /// covers in part cannot be read.
    pub fn write_at(&mut self, handle: Handle, offset: u64, bytes: &[u8]) -> DiskResult<usize> {
        self.admit_change_of(handle)?;
        let ino = self.writable(handle)?;
        self.checked_end(handle, offset, bytes.len() as u64)?;
        if bytes.is_empty() {
            return Ok(0);
        }
        self.determine_for_space(ino, bytes.len() as u64);
        if !self.content(ino).is_writable(offset, bytes.len()) {
            return Err(self.unreadable(handle)?);
        }
        let written =
            self.change_content(ino, |content, free, _| content.write(offset, bytes, free));
        if written == 0 {
            return Err(DiskError::NoSpace {
                path: self.path_of(handle)?,
            });
        }
        self.mirror(|medium| drop(medium.write_at(handle, offset, &bytes[..written])));
        Ok(written)
    }

    /// The file's size in bytes.
    ///
    /// # Errors
    /// When the handle is closed.
    pub fn size(&self, handle: Handle) -> DiskResult<u64> {
        self.admit_look_at(handle)?;
        Ok(self.size_of(self.description(handle)?.ino))
    }

    /// Cuts the file to `size` bytes, or extends it with a hole of zeros.
    ///
    /// # Errors
    /// When the handle does not allow it.
    pub fn truncate(&mut self, handle: Handle, size: u64) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.truncate(handle, size)));
        self.admit_change_of(handle)?;
        let ino = self.writable(handle)?;
        self.checked_end(handle, size, 0)?;
        self.change_content(ino, |content, _, _| content.truncate(size));
        Ok(())
    }

    /// Reserves space for a range, and extends the file to its end when it is shorter. Once a sync
    /// covered it, writes there need no space, and read as zeros where a crash took them.
    ///
    /// # Errors
    /// When the whole range does not fit, or the handle does not allow it.
    pub fn preallocate(&mut self, handle: Handle, offset: u64, size: u64) -> DiskResult<()> {
        self.admit_change_of(handle)?;
        let ino = self.writable(handle)?;
        self.checked_end(handle, offset, size)?;
        self.determine_for_space(ino, size);
        let late = self.allocates_late();
        let blocks = if late { self.free_blocks() } else { 0 };
        if size == 0
            || self.change_content(ino, |content, free, _| {
                content.reserve(offset, size, if late { blocks } else { free }, late)
            })
        {
            self.mirror(|medium| drop(medium.preallocate(handle, offset, size)));
            return Ok(());
        }
        Err(DiskError::NoSpace {
            path: self.path_of(handle)?,
        })
    }

    /// Takes the advisory lock of a file, which is made when missing.
    ///
    /// # Errors
    /// `Locked` when it is held, by whomever.
    pub fn lock(&mut self, path: &str) -> DiskResult<LockId> {
        self.mirror(|medium| drop(medium.lock(path)));
        self.admit_look(path)?;
        let ino = self.find_or_create(path, Access::Create)?;
        if self.locks.values().any(|&held| held == ino) {
            return Err(DiskError::Locked {
                path: path.to_owned(),
            });
        }
        let lock = self.next_handle;
        self.next_handle += 1;
        Arc::make_mut(&mut self.locks).insert(lock, ino);
        Ok(LockId(lock))
    }

    /// Gives a lock back; one that is free already stays so.
    pub fn unlock(&mut self, lock: LockId) {
        self.mirror(|medium| medium.unlock(lock));
        if let Some(ino) = Arc::make_mut(&mut self.locks).remove(&lock.0) {
            self.drop_open(ino);
        }
    }

    pub(super) fn path_of(&self, handle: Handle) -> DiskResult<String> {
        Ok(self.description(handle)?.path.as_ref().to_owned())
    }

    fn unreadable(&self, handle: Handle) -> DiskResult<DiskError> {
        Ok(DiskError::Io {
            path: self.path_of(handle)?,
            cause: "a sector cannot be read",
        })
    }

    pub(super) fn writable(&self, handle: Handle) -> DiskResult<Ino> {
        let description = self.description(handle)?;
        if description.may_write {
            Ok(description.ino)
        } else {
            Err(DiskError::ReadOnlyHandle {
                path: self.path_of(handle)?,
            })
        }
    }

    pub(super) fn checked_end(&self, handle: Handle, offset: u64, size: u64) -> DiskResult<()> {
        let end = offset.saturating_add(size);
        if end > FILE_SIZE_MAX {
            return Err(DiskError::FileTooLarge {
                path: self.path_of(handle)?,
                size: end,
            });
        }
        Ok(())
    }
}
