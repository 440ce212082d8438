//! Invariants of undetermined files: read without being fixed as a whole, fixed before they change.
//!
//! A read chooses the registers that it looks at and no others. What stands in the table of inodes in
//! the place of such a file holds its space and nothing else: every path to a content passes here.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::choices::{Choices, Record};
use super::content::{Content, piece};
use super::error::{DiskError, DiskResult};
use super::file_space::{Fate, FileSpace};
use super::inode::{Ino, Inode, Node};
use super::moment::Moment;
use super::options::CrashReport;
use super::readable::bad_sectors;
use super::rules::{ContentDraw, Rules};
use super::table::{page_of, pages_for};
use super::trouble::Trouble;
use super::volume::Disk;

/// Files of a disk of which a crash has not yet decided everything.
#[derive(Clone)]
pub(super) struct Undetermined {
    pub(super) rules: Arc<Rules>,
    pub(super) horizon: Moment,
    pub(super) files: Arc<BTreeMap<Ino, Arc<FileSpace>>>,
    pub(super) choices: Choices,
}

impl Undetermined {
    fn choose<R>(
        &self,
        ino: Ino,
        space: &FileSpace,
        look: impl FnOnce(&Fate, &mut ContentDraw<'_>) -> R,
    ) -> R {
        let mut record = self.choices.record();
        let known = record.fates.remove(&ino.0);
        let record: &mut Record = &mut record;
        let mut draw = ContentDraw {
            inode: ino.0,
            rules: &self.rules,
            horizon: self.horizon,
            chance: record,
            report: &mut CrashReport::default(),
        };
        let fate = known.unwrap_or_else(|| space.fate(&mut draw));
        let answer = look(&fate, &mut draw);
        record.fates.insert(ino.0, fate);
        answer
    }
}

impl Disk {
    /// The space of a file that is not determined yet.
    fn undetermined(&self, ino: Ino) -> Option<(&Undetermined, &FileSpace)> {
        let undetermined = self.undetermined.as_ref()?;
        Some((undetermined, undetermined.files.get(&ino)?))
    }

    pub(super) fn is_undetermined(&self, ino: Ino) -> bool {
        self.undetermined(ino).is_some()
    }

    /// A file's size in bytes, as calls see it.
    pub(super) fn size_of(&self, ino: Ino) -> u64 {
        match self.undetermined(ino) {
            None => self.content(ino).size,
            Some((undetermined, space)) => {
                undetermined.choose(ino, space, |fate, _| fate.length.size)
            }
        }
    }

    /// Whether a file's inode was never written.
    pub(super) fn is_unclean(&self, ino: Ino) -> bool {
        match self.undetermined(ino) {
            None => self
                .inode(ino)
                .content()
                .is_some_and(|content| content.is_unclean),
            Some((undetermined, space)) => {
                undetermined.rules.may_lack_inode(space.before())
                    && undetermined.choose(ino, space, |fate, _| fate.is_unclean)
            }
        }
    }

    /// Refuses what needs an inode that was never written.
    pub(super) fn admit_inode(&self, ino: Ino, path: &str) -> DiskResult<()> {
        if self.is_unclean(ino) {
            self.show(Trouble::Unclean);
            return Err(DiskError::Unclean {
                path: path.to_owned(),
            });
        }
        Ok(())
    }

    /// At most `size` bytes from `offset`, fewer at the end of the file; none when a sector cannot
    /// be read.
    pub(super) fn read_of(&self, ino: Ino, offset: u64, size: usize) -> Option<Vec<u8>> {
        let (content, mut bytes) = match self.undetermined(ino) {
            None => {
                let content = self.content(ino);
                let readable = content.is_readable(offset, size);
                (content, readable.then(|| content.read(offset, size)))
            }
            Some((undetermined, space)) => {
                let bytes = undetermined.choose(ino, space, |fate, draw| {
                    space.read(fate, offset, size, draw)
                });
                (space.settled(), bytes)
            }
        };
        match &mut bytes {
            None => self.show(Trouble::Unreadable),
            Some(bytes) => {
                if content.misread(offset, bytes) {
                    self.show(Trouble::MisdirectedRead);
                }
            }
        }
        bytes
    }

    /// Fixes all of one file.
    pub(super) fn determine(&mut self, ino: Ino) {
        let Some((undetermined, space)) = self.undetermined(ino) else {
            return;
        };
        let settle = |fate: &Fate, draw: &mut ContentDraw<'_>| space.settle_as(fate, draw);
        let content = undetermined.choose(ino, space, settle);
        self.forget_undetermined(ino);
        self.place(ino, content);
    }

    /// Fixes everything that a crash has left open: the disk is as after a crash that decided all at
    /// once. Changes nothing on any other disk.
    pub fn determine_all(&mut self) {
        while let Some(undetermined) = &self.undetermined {
            let first = undetermined.files.keys().next().copied();
            self.determine(first.expect("a disk without undetermined files has no list of them"));
        }
    }

    /// Fixes a file that is to be written, and everything if space may run out: what is not fixed
    /// counts as much space as it may take.
    pub(super) fn determine_for_space(&mut self, ino: Ino, size: u64) {
        if self.undetermined.is_some() && self.free_pages() < pages_for(size) + 1 {
            self.determine_all();
        }
        self.determine(ino);
    }

    /// A file that is not determined goes as a whole: nobody will look at it.
    pub(super) fn forget_undetermined(&mut self, ino: Ino) {
        if let Some(undetermined) = &mut self.undetermined {
            let files = Arc::make_mut(&mut undetermined.files);
            files.remove(&ino);
            if files.is_empty() {
                self.undetermined = None;
            }
        }
    }

    /// Puts a content in the place of one that was not determined, or stands for such a one.
    pub(super) fn place(&mut self, ino: Ino, content: Content) {
        let after = content.allocated_pages;
        let inode = self.inode_mut(ino);
        let before = inode.content().map_or(0, |content| content.allocated_pages);
        inode.node = Node::File(content);
        self.used_pages = self.used_pages - before + after;
    }
}

impl Inode {
    /// What stands in the place of a file that is not determined.
    pub(super) fn stand_in(&self, space: &FileSpace) -> Inode {
        let mut inode = Inode::new(Node::File(Content {
            allocated_pages: space.before().allocated_pages,
            ..Content::default()
        }));
        (inode.holders, inode.links) = (self.holders, self.links);
        inode
    }
}

impl FileSpace {
    fn read(
        &self,
        fate: &Fate,
        offset: u64,
        size: usize,
        draw: &mut ContentDraw<'_>,
    ) -> Option<Vec<u8>> {
        let end = offset.saturating_add(size as u64).min(fate.length.size);
        let mut bytes = Vec::with_capacity(end.saturating_sub(offset) as usize);
        let pages = self.pages(&fate.length, draw.rules);
        let mut position = offset;
        while position < end {
            let (page, (from, take)) = (page_of(position), piece(position, end));
            if let Ok(index) = pages.binary_search_by_key(&page, |space| space.page) {
                if !pages[index].read(self, fate, from..from + take, &mut bytes, draw) {
                    return None;
                }
            } else {
                let slot = self.settled().table.get(page);
                if slot.is_some_and(|slot| slot.bad & bad_sectors(from, take) != 0) {
                    return None;
                }
                match slot.and_then(|slot| slot.cached()) {
                    Some(page) => bytes.extend_from_slice(&page.bytes()[from..from + take]),
                    None => bytes.resize(bytes.len() + take, 0),
                }
            }
            position += take as u64;
        }
        Some(bytes)
    }
}

impl fmt::Debug for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Undetermined")
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}
