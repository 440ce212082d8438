//! Fault policy: a write that was given up lands later, over whatever was written since; it needs no handle any more.

use bytes::Bytes;

use super::error::DiskResult;
use super::inode::Ino;
use super::options::Handle;
use super::trouble::Trouble;
use super::volume::Disk;

/// A write on its way to the disk, of which nobody waits for the answer.
#[derive(Clone, Debug)]
pub struct LateWrite {
    ino: Ino,
    offset: u64,
    bytes: Bytes,
}

impl Disk {
    /// Lets a write hang: nothing of it is there yet. It may land at any later time, or never.
    ///
    /// # Errors
    /// As [`Disk::write_at`], apart from a lack of space.
    pub fn hang_write(&self, handle: Handle, offset: u64, bytes: Bytes) -> DiskResult<LateWrite> {
        self.admit_change_of(handle)?;
        let ino = self.writable(handle)?;
        self.checked_end(handle, offset, bytes.len() as u64)?;
        Ok(LateWrite { ino, offset, bytes })
    }

    /// A write that hung lands in the cache, whether or not its handle, its process or its machine
    /// live on. Says how many bytes: none when the file is gone, there is no space, or a sector that
    /// it covers in part cannot be read.
    pub fn land_write(&mut self, late: &LateWrite) -> usize {
        self.mirror(|medium| {
            medium.land_write(late);
        });
        let is_file = |ino| self.inodes.get(&ino).is_some_and(|inode| !inode.is_dir());
        if !is_file(late.ino) || self.admit_change("").is_err() || late.bytes.is_empty() {
            return 0;
        }
        self.determine_for_space(late.ino, late.bytes.len() as u64);
        if !self
            .content(late.ino)
            .is_writable(late.offset, late.bytes.len())
        {
            return 0;
        }
        let landed = self.change_content(late.ino, |content, free, _| {
            content.write(late.offset, &late.bytes, free)
        });
        if landed > 0 {
            self.show(Trouble::LateWrite);
        }
        landed
    }
}
