//! Fault policy: a write that goes astray is reported as done; its sector stays as it was, and another may show it.

use super::content::Content;
use super::error::{DiskError, DiskResult};
use super::inode::Ino;
use super::options::{Handle, SECTOR_SIZE};
use super::path::invalid;
use super::table::{page_of, within_page};
use super::trouble::Trouble;
use super::volume::Disk;

impl Disk {
    /// A sync that reports success although the write of one sector was lost, or, with `to`, landed
    /// on a sector of another file instead, whose own unsynced bytes count as durable first. The
    /// cache forgets both at once, so that reads show the medium. Sectors are counted from the start
    /// of their file.
    ///
    /// # Errors
    /// As [`Disk::sync_data`]; and when a sector lies outside its file, or the other file is missing,
    /// is a directory or is this one.
    pub fn sync_astray(
        &mut self,
        handle: Handle,
        sector: u64,
        to: Option<(&str, u64)>,
    ) -> DiskResult<()> {
        let ino = self.description(handle)?.ino;
        let path = self.path_of(handle)?;
        self.determine(ino);
        self.check_sector(ino, &path, sector)?;
        let target = match to {
            None => None,
            Some((path, sector)) => Some((self.other_file(ino, path, sector)?, sector)),
        };
        let content = self.content(ino);
        let written = content.read(sector * SECTOR_SIZE as u64, SECTOR_SIZE);
        let kept = content.durable_sector(sector);
        self.sync_data(handle)?;
        self.overwrite_sector(ino, sector, &kept);
        if let Some((other, sector)) = target {
            self.overwrite_sector(other, sector, &written);
        }
        self.show(Trouble::AstrayWrite);
        self.drain_drive();
        Ok(())
    }

    fn other_file(&mut self, ino: Ino, path: &str, sector: u64) -> DiskResult<Ino> {
        let other = self.lookup(path)?;
        if self.inode(other).is_dir() {
            return Err(DiskError::IsADirectory {
                path: path.to_owned(),
            });
        }
        if other == ino {
            return Err(invalid(path, "a write goes astray to another file"));
        }
        self.determine(other);
        self.check_sector(other, path, sector)?;
        Ok(other)
    }

    fn overwrite_sector(&mut self, ino: Ino, sector: u64, bytes: &[u8]) {
        let start = sector * SECTOR_SIZE as u64;
        self.change_content(ino, |content, _, freed| {
            content.evict();
            content.sync(freed);
            // Beyond the size there are zeros, whatever else the sector holds.
            let inside = (content.size.saturating_sub(start) as usize).min(bytes.len());
            content.overwrite(page_of(start), |page| {
                page[within_page(start)..][..inside].copy_from_slice(&bytes[..inside]);
            });
        });
    }
}

impl Content {
    /// A sector as the medium holds it.
    fn durable_sector(&self, sector: u64) -> [u8; SECTOR_SIZE] {
        let start = sector * SECTOR_SIZE as u64;
        let mut bytes = [0; SECTOR_SIZE];
        let slot = self.table.get(page_of(start));
        if let Some(page) = slot.and_then(|slot| slot.durable.as_ref()) {
            bytes.copy_from_slice(&page.bytes()[within_page(start)..][..SECTOR_SIZE]);
        }
        bytes
    }
}
