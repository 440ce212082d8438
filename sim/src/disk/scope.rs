//! Steps: what a sync takes along beyond its own file or directory, and what gets in before a replacement.

use std::collections::BTreeSet;

use super::chance::{Chance, RegisterName};
use super::constraints::{DataOrder, GrowthFill, SyncScope};
use super::content::Content;
use super::directory::{Cause, Directory};
use super::freed::FreedPages;
use super::inode::{Ino, ROOT};
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::pending::Change;
use super::sync::WHOLE;
use super::volume::Disk;

impl Disk {
    /// What a sync of this file takes along; `attributes` are asked for too, not just the bytes.
    pub(super) fn take_along_with_file(&mut self, ino: Ino, attributes: bool) {
        match self.constraints().sync_scope {
            SyncScope::Own => {}
            SyncScope::Names => self.settle_names_of(ino),
            SyncScope::Journal => {
                if attributes || self.needs_metadata(ino) {
                    self.commit_metadata();
                }
            }
            SyncScope::Everything => self.settle_everything(),
        }
    }

    /// What a sync of this directory takes along.
    pub(super) fn take_along_with_dir(&mut self, dir: Ino) {
        match self.constraints().sync_scope {
            SyncScope::Own if self.constraints().rename_is_whole => {
                let pending = &self.directory(dir).pending;
                if pending.iter().any(|change| change.cause != Cause::Plain) {
                    self.settle_all_names();
                }
            }
            SyncScope::Own => {}
            SyncScope::Names => {
                let departs = |cause: &Cause| matches!(cause, Cause::MovedTo { .. });
                let pending = &self.directory(dir).pending;
                if pending.iter().any(|change| departs(&change.cause)) {
                    self.settle_all_names();
                } else {
                    self.settle_names_of(dir);
                }
            }
            SyncScope::Journal => self.commit_metadata(),
            SyncScope::Everything => self.settle_everything(),
        }
    }

    /// Where the profile does so: blocks and length of a file that takes another's place go first.
    pub(super) fn allocate_replacement(&mut self, ino: Ino) {
        if !self.constraints().allocates_replacements || self.content(ino).pending.is_empty() {
            return;
        }
        self.change_content(ino, |content, _, _| {
            content.pending.push(Change::Grow { size: content.size });
        });
    }

    /// Background writeback where order counts: pages wherever they are written in place, and now and
    /// then all metadata with some files behind it, or simply everything.
    pub(super) fn flush_some_in_order(&mut self, chance: &mut dyn Chance) {
        let constraints = self.constraints();
        let mut draw = |inode: Ino, part, bound| {
            let inode = inode.0;
            chance.below(RegisterName::Writeback { inode, part }, bound)
        };
        let extent = draw(ROOT, WHOLE, 4);
        if extent == 0 {
            self.settle_everything();
        }
        if constraints.data == DataOrder::Prefix || extent == 0 {
            return;
        }
        if extent == 1 {
            self.commit_metadata();
        }
        for ino in self.files_where(|content| !content.is_clean()) {
            if constraints.data == DataOrder::Units {
                self.change_content(ino, |content, _, freed| {
                    content.settle_pages(freed, |page| {
                        let sector = page * (PAGE_SIZE / SECTOR_SIZE) as u64;
                        draw(ino, sector, 2) == 1
                    });
                });
            }
            if extent == 1 && draw(ino, WHOLE, 2) == 1 {
                self.change_content(ino, |content, _, freed| content.sync(freed));
            }
        }
    }

    /// Whether reaching the file's bytes after a crash takes metadata that is not durable.
    fn needs_metadata(&self, ino: Ino) -> bool {
        let content = self.content(ino);
        let lengths = |change: &Change| !matches!(change, Change::Write { .. });
        let pending = content.pending.changes();
        content.size != content.durable_size
            || pending.iter().any(|entry| lengths(&entry.change))
            || self.has_new_name(ino)
    }

    fn has_new_name(&self, ino: Ino) -> bool {
        let mut directories = self.inodes.values().filter_map(|inode| inode.directory());
        directories.any(|directory| {
            let mut pending = directory.pending.iter();
            pending.any(|change| change.to == Some(ino) && change.cause == Cause::Plain)
        })
    }

    /// Makes all names durable, and every length that is not merely reached by a write.
    fn commit_metadata(&mut self) {
        self.lose_all_that_has_no_room();
        self.settle_all_names();
        let written_first = self.constraints().growth == GrowthFill::Written;
        for ino in self.files_where(|content| !content.pending.is_empty()) {
            self.change_content(ino, |content, _, freed| {
                content.settle_metadata(written_first, freed);
            });
        }
    }

    fn settle_everything(&mut self) {
        self.lose_all_that_has_no_room();
        self.settle_all_names();
        for ino in self.files_where(|content| !content.is_clean()) {
            self.change_content(ino, |content, _, freed| content.sync(freed));
        }
    }

    /// Makes the names that lead to an inode durable, with the directories they are in, and what
    /// their transactions touched. Where directories moved or went, everything goes along.
    fn settle_names_of(&mut self, ino: Ino) {
        let goes = |directory: &Directory| {
            let mut pending = directory.pending.iter();
            pending.any(|change| change.emptied.is_some())
        };
        let mut directories = self.inodes.values().filter_map(|inode| inode.directory());
        if !self.moves.is_empty() || directories.any(goes) {
            self.settle_all_names();
            return;
        }
        let wanted = self.transactions_of(ino);
        let mut dropped = Vec::new();
        let holders: Vec<Ino> = self.inodes.keys().copied().collect();
        for holder in holders {
            if self.inode(holder).directory().is_some_and(|directory| {
                let mut pending = directory.pending.iter();
                pending.any(|change| wanted.contains(&change.transaction))
            }) {
                self.directory_mut(holder)
                    .settle(|change| wanted.contains(&change.transaction), &mut dropped);
            }
        }
        self.drop_holders(dropped);
    }

    /// The transactions without which an inode's names would not be as calls see them.
    fn transactions_of(&self, ino: Ino) -> BTreeSet<u64> {
        let mut inodes = BTreeSet::from([ino]);
        let mut wanted = BTreeSet::new();
        loop {
            let before = (inodes.len(), wanted.len());
            for (&holder, directory) in self
                .inodes
                .iter()
                .filter_map(|(ino, inode)| Some((ino, inode.directory()?)))
            {
                directory.want(&inodes, &mut wanted);
                let touched = |transaction| wanted.contains(transaction);
                let holds = directory
                    .cached
                    .values()
                    .any(|target| inodes.contains(target))
                    || directory
                        .pending
                        .iter()
                        .any(|change| touched(&change.transaction));
                if holds {
                    inodes.insert(holder);
                }
            }
            if (inodes.len(), wanted.len()) == before {
                return wanted;
            }
        }
    }
}

impl Directory {
    /// Adds the transactions after which entries here lead to one of these inodes, or led there
    /// before and still live elsewhere; with each, those before it on the same entry.
    fn want(&self, inodes: &BTreeSet<Ino>, wanted: &mut BTreeSet<u64>) {
        for (index, change) in self.pending.iter().enumerate() {
            let leads = change.to.is_some_and(|target| inodes.contains(&target));
            if !leads && !wanted.contains(&change.transaction) {
                continue;
            }
            let earlier = self.pending[..=index]
                .iter()
                .filter(|earlier| earlier.name == change.name);
            wanted.extend(earlier.map(|earlier| earlier.transaction));
        }
    }
}

impl Content {
    /// Makes durable each dirty page that `takes` picks.
    fn settle_pages(&mut self, freed: &mut FreedPages, mut takes: impl FnMut(u64) -> bool) {
        for page in std::mem::take(&mut self.dirty) {
            if takes(page) {
                self.settle_page(page, freed);
            } else {
                self.dirty.push(page);
            }
        }
    }

    /// Makes cuts and growths durable, in the order of a journal; a length that a write reached is
    /// in only as far as a later cut or growth took it in. Where lengths follow their bytes, a
    /// growth brings them along.
    fn settle_metadata(&mut self, written_first: bool, freed: &mut FreedPages) {
        let Some(last) = self.last_metadata_change(|_| true) else {
            return;
        };
        let pending = self.pending.changes();
        let grows = |change: &Change| matches!(change, Change::Grow { .. });
        if written_first && pending.iter().any(|entry| grows(&entry.change)) {
            self.sync(freed);
            return;
        }
        let settled = pending[last].sequence + 1;
        let sizes = self.size_versions(u64::MAX >> 2);
        let count = sizes.partition_point(|version| version.0 <= last + 1);
        self.durable_size = sizes[count - 1].1;
        self.size_settled = settled;
    }
}
