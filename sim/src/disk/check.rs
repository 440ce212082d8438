//! Invariants of the whole disk, asserted one by one, for tests to call after every step.

use std::collections::BTreeMap;

use super::content::Content;
use super::directory::Directory;
use super::drive::Behind;
use super::hash::Memory;
use super::inode::{Ino, Node, ROOT};
use super::options::PAGE_SIZE;
use super::page::Page;
use super::table::{Slot, page_of, pages_for, within_page};
use super::undetermined::Undetermined;
use super::volume::Disk;

const HOLE: [u8; PAGE_SIZE] = [0; PAGE_SIZE];

impl Disk {
    /// Asserts what must hold between any two calls. Costs as much as the disk is large.
    ///
    /// # Panics
    /// When an invariant is broken: a mistake of this room, never of its caller.
    pub fn check(&self) {
        if let Some(undetermined) = &self.undetermined {
            let mut determined = self.clone();
            let choices = undetermined.choices.forked();
            determined.undetermined = Some(Undetermined {
                choices,
                ..undetermined.clone()
            });
            determined.determine_all();
            determined.behind = Behind::default();
            return determined.check();
        }
        self.check_counts();
        if let Some(medium) = self.medium() {
            medium.check();
        }
        let mut allocated = 0;
        for (ino, inode) in self.inodes.iter() {
            match &inode.node {
                Node::File(content) => {
                    content.check();
                    allocated += content.allocated_pages;
                }
                Node::Directory(directory) => directory.check(),
            }
            assert!(
                ino.0 < self.next_inode,
                "inode numbers come from the counter"
            );
        }
        assert_eq!(
            allocated, self.used_pages,
            "used space is what the files hold"
        );
        assert_eq!(
            self.hash(),
            self.hash_with(Memory::Ignored),
            "remembered digests are true"
        );
        assert!(
            self.remembers_image_hash(),
            "remembered shares of the image's hash are true"
        );
    }

    /// Names and handles lead to living inodes, and each inode knows how many do.
    fn check_counts(&self) {
        let mut links: BTreeMap<Ino, u32> = BTreeMap::from([(ROOT, 1)]);
        let mut holders: BTreeMap<Ino, u32> = BTreeMap::from([(ROOT, 1)]);
        let mut opens: BTreeMap<Ino, u32> = BTreeMap::new();
        let count = |counts: &mut BTreeMap<Ino, u32>, ino: Ino| {
            *counts.entry(ino).or_insert(0) += 1;
        };
        for inode in self.inodes.values() {
            let Some(directory) = inode.directory() else {
                continue;
            };
            directory
                .cached
                .values()
                .for_each(|&ino| count(&mut links, ino));
            directory
                .durable
                .values()
                .for_each(|&ino| count(&mut holders, ino));
            let pending = directory.pending.iter().filter_map(|change| change.to);
            pending.for_each(|ino| count(&mut holders, ino));
        }
        self.descriptions
            .iter()
            .for_each(|(_, description)| count(&mut opens, description.ino));
        self.locks.values().for_each(|&ino| count(&mut opens, ino));
        for counts in [&links, &holders, &opens] {
            assert!(
                counts.keys().all(|ino| self.inodes.contains_key(ino)),
                "names, versions of names, and handles lead to living inodes"
            );
        }
        for (ino, inode) in self.inodes.iter() {
            let of = |counts: &BTreeMap<Ino, u32>| counts.get(ino).copied().unwrap_or(0);
            assert_eq!(inode.links, of(&links), "links of {ino:?}");
            assert_eq!(inode.holders, of(&holders), "versions of names of {ino:?}");
            assert!(
                inode.holders + of(&opens) > 0,
                "{ino:?} is kept for something"
            );
        }
    }
}

impl Directory {
    fn check(&self) {
        let mut replayed = self.durable.clone();
        for change in &self.pending {
            match change.to {
                Some(ino) => replayed.insert(change.name.clone(), ino),
                None => replayed.remove(&change.name),
            };
        }
        assert!(
            replayed == self.cached,
            "durable entries and pending changes give the cached ones"
        );
    }
}

impl Content {
    fn check(&self) {
        let mut allocated = 0;
        for (page, slot) in self.table.iter() {
            allocated += u64::from(slot.allocated);
            self.check_slot(page, slot);
        }
        assert_eq!(
            allocated, self.allocated_pages,
            "allocated pages are counted"
        );
        let size = self
            .size_versions(PAGE_SIZE as u64)
            .last()
            .map(|version| version.1);
        assert_eq!(size, Some(self.size), "pending changes lead to the size");
        if self.dirty.is_empty() && self.lost.is_empty() && self.pending.is_empty() {
            assert_eq!(
                self.size, self.durable_size,
                "a settled file's size is durable"
            );
        }
    }

    fn check_slot(&self, page: u64, slot: &Slot) {
        let bytes = |page: Option<&std::sync::Arc<Page>>| page.map_or(HOLE, |page| *page.bytes());
        assert!(
            slot.allocated || !slot.needs_space(),
            "page {page} has its space"
        );
        assert!(
            slot.allocated <= (slot.dirty || slot.needs_space()),
            "page {page} needs its space"
        );
        assert!(
            !(slot.dirty && slot.lost),
            "page {page} is dirty or lost, not both"
        );
        assert!(
            slot.dirty || slot.lost || slot.bad == slot.bad_durable,
            "unreadable sectors of page {page} change with its bytes"
        );
        assert_eq!(
            slot.dirty,
            self.dirty.contains(&page),
            "dirty page {page} is listed"
        );
        assert!(
            !slot.lost || self.lost.contains(&page),
            "lost page {page} is listed"
        );
        assert!(
            page < pages_for(self.size) || slot.cached().is_none(),
            "page {page} is in the file"
        );
        let cached = bytes(slot.cached());
        if page == page_of(self.size) {
            let tail = &cached[within_page(self.size)..];
            assert!(
                tail.iter().all(|&byte| byte == 0),
                "zeros lie beyond the end of the file"
            );
        }
        if slot.lost {
            return;
        }
        let mut replayed = bytes(slot.durable.as_ref());
        if slot.dirty {
            for entry in self.pending.changes() {
                if entry.sequence >= slot.settled {
                    entry.change.replay(page, &mut replayed);
                }
            }
        }
        assert!(
            replayed == cached || (!slot.dirty && page >= pages_for(self.size)),
            "durable bytes and pending changes of page {page} give the cached ones"
        );
    }
}
