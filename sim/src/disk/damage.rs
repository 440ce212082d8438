//! Fault policy: damage at rest strikes medium and cache alike, whatever the file system thinks of it.

use super::content::Content;
use super::error::{DiskError, DiskResult};
use super::freed::{FreedPages, former_life};
use super::options::{Damage, PAGE_SIZE, SECTOR_SIZE};
use super::path::invalid;
use super::table::{page_of, page_start, within_page};
use super::volume::Disk;

impl Disk {
    /// Damages a file at rest, as if it was found so at a later boot: what was unsynced counts as
    /// durable first. No sync reports it, no crash heals it.
    ///
    /// # Errors
    /// When nothing has this name, it is a directory, or the damage lies outside the file.
    pub fn damage(&mut self, path: &str, damage: Damage) -> DiskResult<()> {
        let ino = self.lookup(path)?;
        self.determine(ino);
        let Some(content) = self.inode(ino).content() else {
            return Err(DiskError::IsADirectory {
                path: path.to_owned(),
            });
        };
        let inside = match damage {
            Damage::FlipBit { offset, bit } => offset < content.size && bit < 8,
            Damage::Zero { offset, size } | Damage::Garbage { offset, size } => offset
                .checked_add(size)
                .is_some_and(|end| end <= content.size),
            Damage::Unreadable { sector, count } => sector
                .checked_add(count)
                .is_some_and(|end| end <= content.size.div_ceil(SECTOR_SIZE as u64)),
            Damage::Truncate { size } => size <= content.size,
        };
        if !inside {
            return Err(invalid(path, "the damage lies outside the file"));
        }
        self.change_content(ino, |content, _, freed| content.damage(damage, freed));
        self.damaged();
        Ok(())
    }
}

impl Content {
    fn damage(&mut self, damage: Damage, freed: &mut FreedPages) {
        self.evict();
        self.sync(freed);
        match damage {
            Damage::FlipBit { offset, bit } => {
                self.overwrite(page_of(offset), |page| {
                    page[within_page(offset)] ^= 1 << bit
                });
            }
            Damage::Zero { offset, size } => {
                self.overwrite_range(offset, size, |_, bytes| bytes.fill(0));
            }
            Damage::Garbage { offset, size } => self.overwrite_range(offset, size, former_life),
            Damage::Unreadable { sector, count } => self.make_unreadable(sector..sector + count),
            Damage::Truncate { size } => {
                self.truncate(size);
                self.sync(freed);
            }
        }
    }

    /// Changes the part of each page that a range covers, given the part's first byte's offset.
    fn overwrite_range(&mut self, offset: u64, size: u64, change: impl Fn(u64, &mut [u8])) {
        let end = offset + size;
        let mut position = offset;
        while position < end {
            let page = page_of(position);
            let to = end.min(page_start(page + 1));
            let take = (to - position) as usize;
            let from = within_page(position);
            self.overwrite(page, |bytes| {
                change(position, &mut bytes[from..from + take])
            });
            position = to;
        }
    }

    /// Changes a page of a file that has nothing pending, durably.
    pub(super) fn overwrite(&mut self, page: u64, change: impl FnOnce(&mut [u8; PAGE_SIZE])) {
        let slot = self.table.slot_mut(page);
        slot.change_both(change);
        if !slot.allocated {
            slot.allocated = true;
            self.allocated_pages += 1;
        }
    }
}
