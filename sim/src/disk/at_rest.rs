//! Fault policy: what happens to whole files at rest, and to reads that a device sends elsewhere, until it is mended.
//!
//! Reads that go astray lie over the bytes, which stay as they are: `mend` lifts them, and unreadable
//! sectors too. Until then the same read gives the same answer.

use std::fmt;
use std::sync::Arc;

use super::content::Content;
use super::error::{DiskError, DiskResult};
use super::inode::{Ino, Node};
use super::options::{Damage, Handle, SECTOR_SIZE};
use super::path::invalid;
use super::table::{page_start, pages_for};
use super::trouble::Trouble;
use super::volume::Disk;
use crate::entropy::StreamKey;

/// What is done to each sector of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectorDamage {
    /// One bit of it flips.
    FlipBit,
    /// It is all zeros.
    Zero,
    /// It is all garbage.
    Garbage,
    /// It cannot be read.
    Unreadable,
}

/// Sectors near one another: damage at rest is not independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    /// The sector in the middle.
    pub sector: u64,
    /// Sectors on either side that may be struck too.
    pub spread: u64,
    /// Sectors struck, as far as there are so many.
    pub count: u64,
}

/// A file as it was once, to bring it back.
#[derive(Clone)]
pub struct FileCopy(Content);

impl Cluster {
    /// The sectors struck, of a file with so many; the same ones for the same key.
    #[must_use]
    pub fn sectors(&self, sectors_total: u64, key: StreamKey) -> Vec<u64> {
        let first = self.sector.saturating_sub(self.spread);
        let end = self
            .sector
            .saturating_add(self.spread)
            .saturating_add(1)
            .min(sectors_total);
        let mut sectors: Vec<u64> = (first..end).collect();
        sectors.sort_by_key(|&sector| (key.word(sector), sector));
        sectors.truncate(usize::try_from(self.count).unwrap_or(usize::MAX));
        sectors.sort_unstable();
        sectors
    }
}

impl Disk {
    /// Damages a cluster of a file's sectors, as [`Disk::damage`] does; says how many were struck. The
    /// key decides which, and which bits.
    ///
    /// # Errors
    /// When nothing has this name, or it is a directory.
    pub fn damage_cluster(
        &mut self,
        path: &str,
        cluster: Cluster,
        how: SectorDamage,
        key: StreamKey,
    ) -> DiskResult<u64> {
        let ino = self.file_at_rest(path)?;
        let file_size = self.content(ino).size;
        let sectors = cluster.sectors(file_size.div_ceil(SECTOR_SIZE as u64), key);
        for &sector in &sectors {
            let offset = sector * SECTOR_SIZE as u64;
            let size = (file_size - offset).min(SECTOR_SIZE as u64);
            let word = key.word(!sector);
            let damage = match how {
                SectorDamage::FlipBit => Damage::FlipBit {
                    offset: offset + (word >> 3) % size,
                    bit: (word & 7) as u8,
                },
                SectorDamage::Zero => Damage::Zero { offset, size },
                SectorDamage::Garbage => Damage::Garbage { offset, size },
                SectorDamage::Unreadable => Damage::Unreadable { sector, count: 1 },
            };
            self.damage(path, damage)?;
        }
        Ok(sectors.len() as u64)
    }

    /// From now on reads of one sector of a file show the present bytes of a sector of another, until
    /// that sector is written or the file is mended. The bytes themselves stay. Sectors are counted
    /// from the start of their file.
    ///
    /// # Errors
    /// When either name is missing or a directory's, or a sector lies outside its file.
    pub fn misdirect_reads(
        &mut self,
        path: &str,
        sector: u64,
        from: (&str, u64),
    ) -> DiskResult<()> {
        let ino = self.file_at_rest(path)?;
        self.check_sector(ino, path, sector)?;
        let other = self.file_at_rest(from.0)?;
        self.check_sector(other, from.0, from.1)?;
        let mut bytes = [0; SECTOR_SIZE];
        let shown = self
            .content(other)
            .read(from.1 * SECTOR_SIZE as u64, SECTOR_SIZE);
        bytes[..shown.len()].copy_from_slice(&shown);
        self.change_content(ino, |content, _, _| {
            content.misreads.insert(sector, Arc::new(bytes));
        });
        self.drain_drive();
        Ok(())
    }

    /// Lifts what lies over a file's bytes: its sectors can all be read again, and show what they hold.
    ///
    /// # Errors
    /// When nothing has this name, or it is a directory.
    pub fn mend(&mut self, path: &str) -> DiskResult<()> {
        let ino = self.file_at_rest(path)?;
        self.change_content(ino, |content, _, _| content.mend());
        self.drain_drive();
        Ok(())
    }

    /// A copy of a file, as it is now.
    ///
    /// # Errors
    /// When nothing has this name, or it is a directory.
    pub fn copy_of(&mut self, path: &str) -> DiskResult<FileCopy> {
        let ino = self.file_at_rest(path)?;
        let mut content = self.content(ino).clone();
        content.evict_and_settle();
        Ok(FileCopy(content))
    }

    /// A file is as it was when the copy was made, as if restored from it; durably, and under the same
    /// inode.
    ///
    /// # Errors
    /// When nothing has this name, or it is a directory.
    pub fn roll_back(&mut self, path: &str, copy: &FileCopy) -> DiskResult<()> {
        let ino = self.file_at_rest(path)?;
        let write_errors = self.content(ino).write_errors;
        self.place(
            ino,
            Content {
                write_errors,
                ..copy.0.clone()
            },
        );
        self.damaged();
        Ok(())
    }

    /// Two files have one another's contents, durably.
    ///
    /// # Errors
    /// When either name is missing or a directory's.
    pub fn swap_files(&mut self, one: &str, other: &str) -> DiskResult<()> {
        let (first, second) = (self.copy_of(one)?, self.copy_of(other)?);
        self.roll_back(one, &second)?;
        self.roll_back(other, &first)
    }

    /// A file's name is gone, durably; all names of its directory count as durable first.
    ///
    /// # Errors
    /// As [`Disk::remove`] and [`Disk::sync_dir`].
    pub fn lose_file(&mut self, path: &str) -> DiskResult<()> {
        self.remove(path)?;
        let (dir, _) = path.rsplit_once('/').unwrap_or(("", path));
        self.sync_dir(dir)?;
        self.damaged();
        Ok(())
    }

    /// Another machine removed or replaced the file: whatever is asked of this handle from now on is
    /// refused, but to close it.
    ///
    /// # Errors
    /// When the handle is closed.
    pub fn make_stale(&mut self, handle: Handle) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.make_stale(handle)));
        self.description(handle)?;
        let found = self
            .descriptions
            .binary_search_by_key(&handle.0, |entry| entry.0);
        if let Ok(index) = found {
            Arc::make_mut(&mut self.descriptions)[index].1.is_stale = true;
        }
        Ok(())
    }

    /// The file of this path, all of it determined.
    pub(super) fn file_at_rest(&mut self, path: &str) -> DiskResult<Ino> {
        let ino = self.lookup(path)?;
        self.determine(ino);
        match &self.inode(ino).node {
            Node::File(content) if content.is_unclean => Err(DiskError::Unclean {
                path: path.to_owned(),
            }),
            Node::File(_) => Ok(ino),
            Node::Directory(_) => Err(DiskError::IsADirectory {
                path: path.to_owned(),
            }),
        }
    }

    pub(super) fn check_sector(&self, ino: Ino, path: &str, sector: u64) -> DiskResult<()> {
        let start = sector.checked_mul(SECTOR_SIZE as u64);
        if start.is_some_and(|start| start < self.content(ino).size) {
            Ok(())
        } else {
            Err(invalid(path, "the sector lies outside the file"))
        }
    }

    /// Harm was done at rest: whatever a drive held back is on the medium with it.
    pub(super) fn damaged(&mut self) {
        self.show(Trouble::Damaged);
        self.drain_drive();
    }
}

impl Content {
    fn mend(&mut self) {
        self.misreads.clear();
        for page in 0..pages_for(self.size) {
            if self
                .table
                .get(page)
                .is_some_and(|slot| slot.bad | slot.bad_durable != 0)
            {
                let slot = self.table.slot_mut(page);
                (slot.bad, slot.bad_durable) = (0, 0);
            }
        }
    }

    fn evict_and_settle(&mut self) {
        self.evict();
        self.sync(&mut super::freed::FreedPages::default());
    }

    /// Puts over the bytes from `offset` on what reads of their sectors show instead; whether any does.
    pub(super) fn misread(&self, offset: u64, bytes: &mut [u8]) -> bool {
        if self.misreads.is_empty() {
            return false;
        }
        let (sector_size, end) = (SECTOR_SIZE as u64, offset + bytes.len() as u64);
        let astray = self
            .misreads
            .range(offset / sector_size..end.div_ceil(sector_size));
        let mut any = false;
        for (&sector, shown) in astray {
            let start = sector * sector_size;
            let (from, to) = (start.max(offset), (start + sector_size).min(end));
            let target = &mut bytes[(from - offset) as usize..(to - offset) as usize];
            target.copy_from_slice(&shown[(from - start) as usize..(to - start) as usize]);
            any = true;
        }
        any
    }

    /// A write reached these bytes: reads of their sectors go right again.
    pub(super) fn written(&mut self, offset: u64, end: u64) {
        if !self.misreads.is_empty() {
            let sector_size = SECTOR_SIZE as u64;
            let written = offset / sector_size..end.div_ceil(sector_size);
            self.misreads.retain(|sector, _| !written.contains(sector));
        }
    }

    /// Makes sectors unreadable, of a file that has nothing pending.
    pub(super) fn make_unreadable(&mut self, sectors: std::ops::Range<u64>) {
        for sector in sectors {
            let page = sector * SECTOR_SIZE as u64 / page_start(1);
            self.overwrite(page, |_| ());
            let bit = 1 << (sector % (page_start(1) / SECTOR_SIZE as u64));
            let slot = self.table.slot_mut(page);
            slot.bad |= bit;
            slot.bad_durable |= bit;
        }
    }
}

impl fmt::Debug for FileCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileCopy")
            .field("size", &self.0.size)
            .finish_non_exhaustive()
    }
}
