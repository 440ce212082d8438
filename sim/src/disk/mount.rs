//! Fault policy: a file system that met an error it cannot live with serves reads only, nothing, or is gone for good.

use super::error::{DiskError, DiskResult};
use super::options::Handle;
use super::trouble::Trouble;
use super::volume::Disk;

/// How the file system is mounted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mount {
    /// As usual.
    #[default]
    ReadWrite,
    /// After an error of its journal: reads are served, all else is refused, syncs too. What was not
    /// synced stays in the cache, and is lost with it. Ends with the next boot of the kernel.
    ReadOnly,
    /// After an error of its log: everything is refused. Ends with the next boot of the kernel.
    ShutDown,
    /// It cannot be mounted any more: everything is refused, for good.
    Gone,
}

impl Disk {
    /// How the file system is mounted.
    #[must_use]
    pub fn mount(&self) -> Mount {
        self.mount
    }

    /// Mounts the file system in another way, with its cache as it is; one that is gone stays so.
    pub fn remount(&mut self, mount: Mount) {
        self.mirror(|medium| medium.remount(mount));
        if self.mount != Mount::Gone {
            self.mount = mount;
        }
    }

    /// The kernel boots: what its errors led to is over.
    pub(super) fn boot(&mut self) {
        if self.mount != Mount::Gone {
            self.mount = Mount::ReadWrite;
        }
    }

    /// Refuses a call that looks at something, unless anything is served.
    pub(super) fn admit_look(&self, path: &str) -> DiskResult<()> {
        let cause = match self.mount {
            Mount::ReadWrite | Mount::ReadOnly => return Ok(()),
            Mount::ShutDown => "the file system has shut down",
            Mount::Gone => "the file system cannot be mounted",
        };
        self.show(Trouble::ShutDown);
        Err(DiskError::Io {
            path: path.to_owned(),
            cause,
        })
    }

    /// Refuses a call that changes something, or makes it durable, unless changes are served.
    pub(super) fn admit_change(&self, path: &str) -> DiskResult<()> {
        self.admit_look(path)?;
        if self.mount == Mount::ReadOnly {
            self.show(Trouble::ReadOnly);
            return Err(DiskError::ReadOnly {
                path: path.to_owned(),
            });
        }
        Ok(())
    }

    /// As [`Disk::admit_look`], of an open file.
    pub(super) fn admit_look_at(&self, handle: Handle) -> DiskResult<()> {
        match self.mount {
            Mount::ReadWrite | Mount::ReadOnly => Ok(()),
            Mount::ShutDown | Mount::Gone => self.admit_look(&self.path_of(handle)?),
        }
    }

    /// As [`Disk::admit_change`], of an open file.
    pub(super) fn admit_change_of(&self, handle: Handle) -> DiskResult<()> {
        match self.mount {
            Mount::ReadWrite => Ok(()),
            _ => self.admit_change(&self.path_of(handle)?),
        }
    }
}
