//! Steps: what calls on names do. Each is one transaction on one or two entries.

use std::sync::Arc;

use super::directory::{Cause, Directory, EntryChange, Name};
use super::error::{DiskError, DiskResult};
use super::inode::{Ino, Node};
use super::path::invalid;
use super::volume::{DirectoryMove, Disk};

impl Disk {
    /// Moves a name; a file replaces a file, a directory an empty directory.
    ///
    /// # Errors
    /// When a path is missing, of the wrong kind, or a directory would end up inside itself.
    pub fn rename(&mut self, from: &str, to: &str) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.rename(from, to)));
        self.admit_change(to)?;
        // Both directories first, as a kernel does: it decides which of two mistakes is told.
        let (from_parent, from_name) = self.parent(from)?;
        let (to_parent, to_name) = self.parent(to)?;
        let moved = self.lookup(from)?;
        let target = self.directory(to_parent).cached.get(to_name).copied();
        if target == Some(moved) {
            // Two names of one file, or the name itself: nothing happens.
            return Ok(());
        }
        let moves_dir = self.inode(moved).is_dir();
        if moves_dir
            && to
                .strip_prefix(from)
                .is_some_and(|rest| rest.starts_with('/'))
        {
            return Err(invalid(to, "a directory cannot move into itself"));
        }
        let emptied = target.filter(|&ino| self.inode(ino).is_dir());
        match (target, emptied, moves_dir) {
            (_, Some(_), false) => {
                return Err(DiskError::IsADirectory {
                    path: to.to_owned(),
                });
            }
            (Some(_), None, true) => {
                return Err(DiskError::NotADirectory {
                    path: to.to_owned(),
                });
            }
            (_, Some(ino), true) if !self.directory(ino).cached.is_empty() => {
                return Err(DiskError::NotEmpty {
                    path: to.to_owned(),
                });
            }
            _ => {}
        }
        if target.is_some() && !moves_dir {
            self.allocate_replacement(moved);
        }
        self.move_name(
            moved,
            emptied,
            (from_parent, from_name),
            (to_parent, to_name),
        );
        Ok(())
    }

    /// One transaction: the new name leads to `moved`, the old one nowhere.
    fn move_name(&mut self, moved: Ino, emptied: Option<Ino>, from: (Ino, &str), to: (Ino, &str)) {
        let transaction = self.transaction();
        let (from_name, to_name): (Name, Name) = (Arc::from(from.1), Arc::from(to.1));
        if self.inode(moved).is_dir() {
            Arc::make_mut(&mut self.moves).push(DirectoryMove {
                transaction,
                from: (from.0, Arc::clone(&from_name)),
                to: (to.0, Arc::clone(&to_name)),
            });
        }
        let arrival = EntryChange {
            name: Arc::clone(&to_name),
            to: Some(moved),
            transaction,
            cause: Cause::Arrived,
            emptied,
        };
        let departure = EntryChange {
            name: from_name,
            to: None,
            transaction,
            cause: Cause::MovedTo {
                directory: to.0,
                name: to_name,
            },
            emptied: None,
        };
        self.change_entry(to.0, arrival);
        self.change_entry(from.0, departure);
    }

    /// Removes a file's name; the file lives while a handle leads to it.
    ///
    /// # Errors
    /// When the name is missing or a directory's.
    pub fn remove(&mut self, path: &str) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.remove(path)));
        self.admit_change(path)?;
        let (parent, name) = self.parent(path)?;
        let ino = self.lookup(path)?;
        if self.inode(ino).is_dir() {
            return Err(DiskError::IsADirectory {
                path: path.to_owned(),
            });
        }
        self.remove_name(parent, name, None);
        Ok(())
    }

    /// Gives a file a second name.
    ///
    /// # Errors
    /// When `existing` is missing or a directory's, or `new` is taken.
    pub fn link(&mut self, existing: &str, new: &str) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.link(existing, new)));
        self.admit_change(new)?;
        let ino = self.lookup(existing)?;
        if self.inode(ino).is_dir() {
            return Err(DiskError::IsADirectory {
                path: existing.to_owned(),
            });
        }
        self.admit_inode(ino, existing)?;
        let (parent, name) = self.free_name(new)?;
        self.add_name(parent, name, ino);
        Ok(())
    }

    /// Makes an empty directory.
    ///
    /// # Errors
    /// When the name is taken, or its directory is missing.
    pub fn create_dir(&mut self, path: &str) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.create_dir(path)));
        self.admit_change(path)?;
        let (parent, name) = self.free_name(path)?;
        let ino = self.add_inode(Node::Directory(Directory::default()));
        self.add_name(parent, name, ino);
        Ok(())
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// When the name is missing, a file's, or the directory has names in it.
    pub fn remove_dir(&mut self, path: &str) -> DiskResult<()> {
        self.mirror(|medium| drop(medium.remove_dir(path)));
        self.admit_change(path)?;
        let (parent, name) = self.parent(path)?;
        let ino = self.lookup(path)?;
        let Some(directory) = self.inode(ino).directory() else {
            return Err(DiskError::NotADirectory {
                path: path.to_owned(),
            });
        };
        if !directory.cached.is_empty() {
            return Err(DiskError::NotEmpty {
                path: path.to_owned(),
            });
        }
        self.remove_name(parent, name, Some(ino));
        Ok(())
    }

    /// The names in a directory, sorted.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn list(&self, dir: &str) -> DiskResult<Vec<String>> {
        self.admit_look(dir)?;
        let ino = self.lookup_dir(dir)?;
        Ok(self
            .directory(ino)
            .cached
            .keys()
            .map(|name| name.as_ref().to_owned())
            .collect())
    }

    pub(super) fn lookup_dir(&self, path: &str) -> DiskResult<Ino> {
        let ino = self.lookup(path)?;
        if self.inode(ino).is_dir() {
            Ok(ino)
        } else {
            Err(DiskError::NotADirectory {
                path: path.to_owned(),
            })
        }
    }

    pub(super) fn add_name(&mut self, parent: Ino, name: &str, ino: Ino) {
        let transaction = self.transaction();
        let change = EntryChange {
            name: Arc::from(name),
            to: Some(ino),
            transaction,
            cause: Cause::Plain,
            emptied: None,
        };
        self.change_entry(parent, change);
    }

    fn remove_name(&mut self, parent: Ino, name: &str, emptied: Option<Ino>) {
        let transaction = self.transaction();
        let name = Arc::from(name);
        let change = EntryChange {
            name,
            to: None,
            transaction,
            cause: Cause::Plain,
            emptied,
        };
        self.change_entry(parent, change);
    }

    fn free_name<'a>(&self, path: &'a str) -> DiskResult<(Ino, &'a str)> {
        let taken = || DiskError::AlreadyExists {
            path: path.to_owned(),
        };
        if path.is_empty() {
            return Err(taken());
        }
        let (parent, name) = self.parent(path)?;
        if self.directory(parent).cached.contains_key(name) {
            return Err(taken());
        }
        Ok((parent, name))
    }

    fn transaction(&mut self) -> u64 {
        self.next_transaction += 1;
        self.next_transaction - 1
    }

    fn change_entry(&mut self, parent: Ino, change: EntryChange) {
        let before = self.directory(parent).cached.get(&change.name).copied();
        if let Some(ino) = before {
            self.inode_mut(ino).links -= 1;
        }
        if let Some(ino) = change.to {
            let inode = self.inode_mut(ino);
            inode.links += 1;
            inode.holders += 1;
        }
        let mut dropped = Vec::new();
        let keeps_all = self.constraints().keeps_order();
        let directory = self.directory_mut(parent);
        directory.change(change);
        if !keeps_all {
            directory.shorten(&mut dropped);
        }
        self.drop_holders(dropped);
    }
}
