//! Steps: what syncs make durable, how a failed one is reported, what writeback does by itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chance::{Chance, RegisterName};
use super::content::Content;
use super::directory::Name;
use super::error::{DiskError, DiskResult};
use super::freed::FreedPages;
use super::inode::{Ino, Node};
use super::mount::Mount;
use super::options::{Handle, PAGE_SIZE, SECTOR_SIZE};
use super::trouble::Trouble;
use super::volume::Disk;

/// The part of a writeback decision that stands for the whole inode.
pub(super) const WHOLE: u64 = u64::MAX;
/// The part of a writeback decision that stands for the length.
const LENGTH: u64 = u64::MAX - 1;

impl Disk {
    /// Makes data, and the length needed to reach it, durable; not the name.
    ///
    /// # Errors
    /// `Io`, once a handle, when an earlier writeback of the file failed; what can be written is
    /// written all the same. `NoSpace` where space is allocated late, and there is none.
    pub fn sync_data(&mut self, handle: Handle) -> DiskResult<()> {
        self.sync_content(handle, false)
    }

    /// Makes data, length and attributes durable; not the name. An inode is durable with the first
    /// durable name that leads to it, so this does what [`Disk::sync_data`] does, except where the
    /// profile's syncs take more along.
    ///
    /// # Errors
    /// As [`Disk::sync_data`].
    pub fn sync_all(&mut self, handle: Handle) -> DiskResult<()> {
        self.sync_content(handle, true)
    }

    fn sync_content(&mut self, handle: Handle, attributes: bool) -> DiskResult<()> {
        let description = self.description(handle)?.clone();
        self.admit_change_of(handle)?;
        let ino = description.ino;
        self.hold_sync_back();
        self.lose_what_has_no_room(ino);
        self.take_along_with_file(ino, attributes);
        if !self.is_undetermined(ino) {
            self.change_content(ino, |content, _, freed| content.sync(freed));
        }
        if description.errors_seen == self.content(ino).write_errors {
            return Ok(());
        }
        let failure = self.report_failure(handle, "an earlier writeback failed");
        if !self.content(ino).lacked_room {
            return Err(failure);
        }
        self.show(Trouble::NoRoom);
        Err(DiskError::NoSpace {
            path: self.path_of(handle)?,
        })
    }

    /// A sync whose writeback fails: unsynced bytes stay in the cache, but no later sync writes
    /// them, until they are rewritten. This handle has its report with the answer; every other
    /// handle open by now gets one at its next sync, handles opened later get none.
    pub fn fail_sync(&mut self, handle: Handle) -> DiskError {
        let ino = match self.description(handle) {
            Ok(description) => description.ino,
            Err(error) => return error,
        };
        self.change_content(ino, |content, _, _| content.fail_writeback());
        self.drain_drive();
        self.report_failure(handle, "the sync failed")
    }

    /// As [`Disk::fail_sync`], where one request of several fails: the one with the page of this byte,
    /// with all unsynced pages next to it. Other parts of the file are written.
    pub fn fail_sync_at(&mut self, handle: Handle, offset: u64) -> DiskError {
        let ino = match self.description(handle) {
            Ok(description) => description.ino,
            Err(error) => return error,
        };
        let page = offset / PAGE_SIZE as u64;
        self.change_content(ino, |content, _, freed| content.fail_request(page, freed));
        self.drain_drive();
        self.report_failure(handle, "the sync failed")
    }

    fn report_failure(&mut self, handle: Handle, cause: &'static str) -> DiskError {
        let found = self
            .descriptions
            .binary_search_by_key(&handle.0, |entry| entry.0);
        let Ok(index) = found else {
            return DiskError::BadHandle { handle: handle.0 };
        };
        let errors = self.content(self.descriptions[index].1.ino).write_errors;
        let description = &mut Arc::make_mut(&mut self.descriptions)[index].1;
        description.errors_seen = errors;
        let path = description.path.as_ref().to_owned();
        self.show(Trouble::FailedSync);
        DiskError::Io { path, cause }
    }

    /// Drops from the cache what failed writebacks of this file lost: reads show the old bytes
    /// again, or zeros where there were none.
    ///
    /// # Errors
    /// When the handle is closed.
    pub fn evict(&mut self, handle: Handle) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.evict(handle)));
        let ino = self.description(handle)?.ino;
        if !self.content(ino).lost.is_empty() {
            self.show(Trouble::Evicted);
            self.change_content(ino, |content, _, _| content.evict());
        }
        Ok(())
    }

    /// As [`Disk::evict`], for every file.
    pub fn evict_all(&mut self) {
        self.mirror(Disk::evict_all);
        for ino in self.files_where(|content| !content.lost.is_empty()) {
            self.show(Trouble::Evicted);
            self.change_content(ino, |content, _, _| content.evict());
        }
    }

    /// Makes the names in a directory durable. A rename of a directory takes its other name along,
    /// and every rename of a directory before it.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn sync_dir(&mut self, dir: &str) -> DiskResult<()> {
        self.admit_change(dir)?;
        let ino = self.lookup_dir(dir)?;
        self.hold_sync_back();
        self.take_along_with_dir(ino);
        let mut dropped = Vec::new();
        self.settle_moves(self.last_move_of(ino), &mut dropped);
        self.directory_mut(ino).settle(|_| true, &mut dropped);
        self.drop_holders(dropped);
        Ok(())
    }

    /// The last pending move that has to be durable with the names of this directory.
    fn last_move_of(&self, ino: Ino) -> u64 {
        let mut parts = BTreeSet::from([ino]);
        // A directory that goes for good must be empty on the medium: what moved out has moved.
        parts.extend(
            self.directory(ino)
                .pending
                .iter()
                .filter_map(|change| change.emptied),
        );
        let concerned = |entry: &(Ino, Name)| parts.contains(&entry.0);
        let moves = self
            .moves
            .iter()
            .filter(|entry| concerned(&entry.from) || concerned(&entry.to));
        moves.map(|entry| entry.transaction).max().unwrap_or(0)
    }

    fn settle_moves(&mut self, last: u64, dropped: &mut Vec<Ino>) {
        if last == 0 {
            return;
        }
        let moves = Arc::clone(&self.moves);
        for entry in moves.iter().filter(|entry| entry.transaction <= last) {
            for (directory, name) in [&entry.to, &entry.from] {
                if self.inodes.contains_key(directory) {
                    self.directory_mut(*directory).settle(
                        |change| change.name == *name && change.transaction <= entry.transaction,
                        dropped,
                    );
                }
            }
        }
        Arc::make_mut(&mut self.moves).retain(|entry| entry.transaction > last);
    }

    /// Background writeback: some pages, lengths and names become durable by themselves, where the
    /// profile lets anything survive without a sync.
    pub fn flush_some(&mut self, chance: &mut dyn Chance) {
        if !self.constraints().keeps_unsynced() || self.mount != Mount::ReadWrite {
            return;
        }
        self.lose_all_that_has_no_room();
        if self.constraints().keeps_order() {
            self.flush_some_in_order(chance);
            return;
        }
        for ino in self.files_where(|content| !content.is_clean()) {
            self.change_content(ino, |content, _, freed| {
                content.flush_some(ino, chance, freed)
            });
        }
        if chance.below(
            RegisterName::Writeback {
                inode: super::inode::ROOT.0,
                part: WHOLE,
            },
            4,
        ) == 0
        {
            self.settle_all_names();
        }
    }

    pub(super) fn settle_all_names(&mut self) {
        let mut dropped = Vec::new();
        let directories: Vec<Ino> = self
            .inodes
            .iter()
            .filter(|(_, inode)| inode.directory().is_some_and(|dir| !dir.pending.is_empty()))
            .map(|(&ino, _)| ino)
            .collect();
        for ino in directories {
            self.directory_mut(ino).settle(|_| true, &mut dropped);
        }
        Arc::make_mut(&mut self.moves).clear();
        self.drop_holders(dropped);
    }

    pub(super) fn files_where(&self, picks: impl Fn(&Content) -> bool) -> Vec<Ino> {
        let picked = self.inodes.iter().filter(|(_, inode)| match &inode.node {
            Node::File(content) => picks(content),
            Node::Directory(_) => false,
        });
        picked.map(|(&ino, _)| ino).collect()
    }
}

impl Content {
    /// One round of background writeback of this file: nothing, everything, or page by page.
    fn flush_some(&mut self, ino: Ino, chance: &mut dyn Chance, freed: &mut FreedPages) {
        let mut draw =
            |part, bound| chance.below(RegisterName::Writeback { inode: ino.0, part }, bound);
        match draw(WHOLE, 4) {
            0 | 1 => {}
            2 => self.sync(freed),
            _ => {
                let sectors = (PAGE_SIZE / SECTOR_SIZE) as u64;
                for page in std::mem::take(&mut self.dirty) {
                    if draw(page * sectors, 2) == 0 {
                        self.dirty.push(page);
                    } else {
                        self.settle_page(page, freed);
                    }
                }
                if draw(LENGTH, 2) == 1 {
                    self.settle_size();
                }
                if self.dirty.is_empty() && self.size == self.durable_size {
                    self.sync(freed);
                }
            }
        }
    }
}
