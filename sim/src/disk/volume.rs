//! Invariants of the volume: a clone is a fork; inodes live while something leads to them; used space is counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::constraints::Constraints;
use super::content::Content;
use super::directory::{Directory, Name};
use super::drive::Behind;
use super::error::{DiskError, DiskResult};
use super::freed::FreedPages;
use super::inode::{Ino, Inode, Node, ROOT};
use super::moment::Moment;
use super::mount::Mount;
use super::options::{DiskOptions, Handle, PAGE_SIZE, Stat};
use super::path::{check, names, split};
use super::trouble::{Shown, Trouble};
use super::undetermined::Undetermined;

/// A simulated disk with its page cache: one value, cheap to fork by `clone`.
#[derive(Clone)]
pub struct Disk {
    pub(super) options: DiskOptions,
    pub(super) inodes: Arc<BTreeMap<Ino, Arc<Inode>>>,
    /// Open descriptions by handle number, which only grows.
    pub(super) descriptions: Arc<Vec<(u64, Description)>>,
    /// The locked inode of each held lock.
    pub(super) locks: Arc<BTreeMap<u64, Ino>>,
    /// Renames of directories that are not durable, in order.
    pub(super) moves: Arc<Vec<DirectoryMove>>,
    pub(super) freed: FreedPages,
    pub(super) used_pages: u64,
    pub(super) next_inode: u64,
    pub(super) next_handle: u64,
    pub(super) next_transaction: u64,
    /// The number of the next change of content.
    pub(super) next_change: u64,
    pub(super) behind: Behind,
    /// Files that a crash left open, if it did.
    pub(super) undetermined: Option<Undetermined>,
    pub(super) mount: Mount,
    pub(super) shown: Shown,
}

/// What `open` made.
#[derive(Clone, Debug)]
pub(super) struct Description {
    pub(super) ino: Ino,
    pub(super) may_write: bool,
    /// The path at the time, for errors only.
    pub(super) path: Name,
    /// Failed writebacks of the inode that this description knows of.
    pub(super) errors_seen: u32,
    /// The file was removed behind its back.
    pub(super) is_stale: bool,
}

/// A rename of a directory: always whole in a crash. A sync that makes it durable takes those before
/// it along.
#[derive(Clone, Debug)]
pub(super) struct DirectoryMove {
    pub(super) transaction: u64,
    pub(super) from: (Ino, Name),
    pub(super) to: (Ino, Name),
}

impl Disk {
    /// An empty disk.
    #[must_use]
    pub fn new(options: DiskOptions) -> Disk {
        let mut root = Inode::new(Node::Directory(Directory::default()));
        root.holders = 1;
        root.links = 1;
        let mut disk = Disk {
            options,
            inodes: Arc::new(BTreeMap::from([(ROOT, Arc::new(root))])),
            descriptions: Arc::default(),
            locks: Arc::default(),
            moves: Arc::default(),
            freed: FreedPages::default(),
            used_pages: 0,
            next_inode: ROOT.0 + 1,
            next_handle: 1,
            next_transaction: 1,
            next_change: 1,
            behind: Behind::default(),
            undetermined: None,
            mount: Mount::ReadWrite,
            shown: Shown::default(),
        };
        disk.drain_drive();
        disk
    }

    /// How this disk was made.
    #[must_use]
    pub fn options(&self) -> DiskOptions {
        self.options
    }

    /// Bytes of pages that files hold. A removed file's pages count until the removal is durable
    /// and its last handle closed; a cut file's until the cut is durable.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.used_pages * PAGE_SIZE as u64
    }

    /// What this path leads to.
    ///
    /// # Errors
    /// When nothing has this name.
    pub fn stat(&self, path: &str) -> DiskResult<Stat> {
        self.admit_look(path)?;
        let ino = self.lookup(path)?;
        self.admit_inode(ino, path)?;
        let inode = self.inode(ino);
        Ok(Stat {
            inode: ino.0,
            is_dir: inode.is_dir(),
            size: if inode.is_dir() { 0 } else { self.size_of(ino) },
            links: inode.links,
        })
    }

    /// What a crash may do, and a sync covers.
    pub(super) fn constraints(&self) -> Constraints {
        self.options.profile.constraints()
    }

    pub(super) fn inode(&self, ino: Ino) -> &Inode {
        self.inodes
            .get(&ino)
            .expect("an inode to which an entry or a handle leads is alive")
    }

    /// The inode, to change it: copied when a fork shares it, its digest forgotten.
    pub(super) fn inode_mut(&mut self, ino: Ino) -> &mut Inode {
        let inode = Arc::make_mut(&mut self.inodes)
            .get_mut(&ino)
            .expect("an inode to which an entry or a handle leads is alive");
        let inode = Arc::make_mut(inode);
        inode.digest.take();
        inode.shares.take();
        inode
    }

    pub(super) fn directory(&self, ino: Ino) -> &Directory {
        self.inode(ino)
            .directory()
            .expect("only a directory's number is asked for entries")
    }

    pub(super) fn directory_mut(&mut self, ino: Ino) -> &mut Directory {
        match &mut self.inode_mut(ino).node {
            Node::Directory(directory) => directory,
            Node::File(_) => unreachable!("only a directory's number is asked for entries"),
        }
    }

    pub(super) fn content(&self, ino: Ino) -> &Content {
        self.inode(ino)
            .content()
            .expect("only a file's number is asked for content")
    }

    /// Changes a file's content, given the free pages and the freed ones, and keeps the count of
    /// used pages.
    pub(super) fn change_content<R>(
        &mut self,
        ino: Ino,
        change: impl FnOnce(&mut Content, u64, &mut FreedPages) -> R,
    ) -> R {
        self.determine(ino);
        let free = self.free_pages();
        let keeps_all = self.constraints().keeps_order();
        let now = Moment::of_change(self.next_transaction, self.next_change);
        self.next_change += 1;
        let mut freed = std::mem::take(&mut self.freed);
        let Node::File(content) = &mut self.inode_mut(ino).node else {
            unreachable!("only a file's number is asked for content")
        };
        let before = content.allocated_pages;
        content.pending.advance(now, keeps_all);
        let answer = change(content, free, &mut freed);
        let after = content.allocated_pages;
        self.freed = freed;
        self.used_pages = self.used_pages - before + after;
        answer
    }

    pub(super) fn description(&self, handle: Handle) -> DiskResult<&Description> {
        match self
            .descriptions
            .binary_search_by_key(&handle.0, |entry| entry.0)
        {
            Ok(index) if self.descriptions[index].1.is_stale => {
                self.show(Trouble::Stale);
                Err(DiskError::Stale {
                    path: self.descriptions[index].1.path.as_ref().to_owned(),
                })
            }
            Ok(index) => Ok(&self.descriptions[index].1),
            Err(_) => Err(DiskError::BadHandle { handle: handle.0 }),
        }
    }

    /// The inode of this path.
    pub(super) fn lookup(&self, path: &str) -> DiskResult<Ino> {
        let mut at = ROOT;
        check(path)?;
        for name in names(path) {
            let Some(directory) = self.inode(at).directory() else {
                return Err(DiskError::NotADirectory {
                    path: path.to_owned(),
                });
            };
            at = match directory.cached.get(name) {
                Some(&ino) => ino,
                None => {
                    return Err(DiskError::NotFound {
                        path: path.to_owned(),
                    });
                }
            };
        }
        Ok(at)
    }

    /// The directory of this path, and the last name, which need not exist.
    pub(super) fn parent<'a>(&self, path: &'a str) -> DiskResult<(Ino, &'a str)> {
        check(path)?;
        let (parent, name) = split(path)?;
        let ino = self.lookup(parent).map_err(|error| match error {
            DiskError::NotFound { .. } => DiskError::NotFound {
                path: path.to_owned(),
            },
            other => other,
        })?;
        if !self.inode(ino).is_dir() {
            return Err(DiskError::NotADirectory {
                path: path.to_owned(),
            });
        }
        Ok((ino, name))
    }

    /// A new inode, to which nothing leads yet.
    pub(super) fn add_inode(&mut self, node: Node) -> Ino {
        let ino = Ino(self.next_inode);
        self.next_inode += 1;
        Arc::make_mut(&mut self.inodes).insert(ino, Arc::new(Inode::new(node)));
        ino
    }

    /// An open description or lock of this inode is gone.
    pub(super) fn drop_open(&mut self, ino: Ino) {
        if self.inode(ino).holders == 0 && !self.is_open(ino) {
            self.free_inode(ino, &mut Vec::new());
        }
    }

    fn is_open(&self, ino: Ino) -> bool {
        let mut descriptions = self.descriptions.iter();
        descriptions.any(|(_, description)| description.ino == ino)
            || self.locks.values().any(|&locked| locked == ino)
    }

    /// The process ends: nothing is open or locked any more.
    pub(super) fn drop_descriptions(&mut self) {
        let descriptions = std::mem::take(&mut self.descriptions);
        let locks = std::mem::take(&mut self.locks);
        let described = descriptions.iter().map(|(_, description)| description.ino);
        let open: Vec<Ino> = described.chain(locks.values().copied()).collect();
        for (index, &ino) in open.iter().enumerate() {
            if self.inode(ino).holders == 0 && !open[index + 1..].contains(&ino) {
                self.free_inode(ino, &mut Vec::new());
            }
        }
    }

    /// One entry version fewer leads to each of these inodes.
    pub(super) fn drop_holders(&mut self, mut dropped: Vec<Ino>) {
        while let Some(ino) = dropped.pop() {
            let inode = self.inode_mut(ino);
            inode.holders -= 1;
            if inode.holders == 0 && !self.is_open(ino) {
                self.free_inode(ino, &mut dropped);
            }
        }
    }

    /// Takes the inode out of the table; appends to `dropped` the inodes its entries led to.
    fn free_inode(&mut self, ino: Ino, dropped: &mut Vec<Ino>) {
        if self.is_undetermined(ino) {
            self.forget_undetermined(ino);
            self.place(ino, Content::default());
        } else if !self.inode(ino).is_dir() {
            self.change_content(ino, |content, _, freed| content.release(freed));
        } else {
            let directory = self.directory_mut(ino);
            dropped.extend(directory.durable.values());
            dropped.extend(directory.pending.iter().filter_map(|change| change.to));
        }
        Arc::make_mut(&mut self.inodes).remove(&ino);
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk")
            .field("options", &self.options)
            .field("inodes", &self.inodes.len())
            .field("handles", &self.descriptions.len())
            .field("used_bytes", &self.used_bytes())
            .finish_non_exhaustive()
    }
}
