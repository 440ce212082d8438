//! Invariants of a naive file system: paths to nodes, files as plain byte vectors, nothing durable.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use cenotaph_sim::disk::Access;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Dir,
    File(usize),
}

/// What calls should see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posix {
    nodes: BTreeMap<String, Node>,
    files: Vec<Vec<u8>>,
    pub(crate) handles: Vec<(usize, bool)>,
}

type Answer<T> = Result<T, ErrorKind>;

impl Posix {
    /// What a path leads to; every name before the last must be a directory's.
    fn find(&self, path: &str) -> Answer<Option<Node>> {
        if path.is_empty() {
            return Ok(Some(Node::Dir));
        }
        for (slash, _) in path.match_indices('/') {
            match self.nodes.get(&path[..slash]) {
                Some(Node::Dir) => {}
                Some(Node::File(_)) => return Err(ErrorKind::NotADirectory),
                None => return Err(ErrorKind::NotFound),
            }
        }
        Ok(self.nodes.get(path).copied())
    }

    fn must(&self, path: &str) -> Answer<Node> {
        self.find(path)?.ok_or(ErrorKind::NotFound)
    }

    fn has_children(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.nodes.keys().any(|name| name.starts_with(&below))
    }

    pub(crate) fn open(&mut self, path: &str, access: Access) -> Answer<()> {
        let file = match (self.find(path)?, access) {
            (Some(_), Access::CreateNew) => return Err(ErrorKind::AlreadyExists),
            (Some(Node::Dir), _) => return Err(ErrorKind::IsADirectory),
            (Some(Node::File(file)), _) => file,
            (None, Access::Read | Access::Write) => return Err(ErrorKind::NotFound),
            (None, Access::Create | Access::CreateNew) => {
                self.files.push(Vec::new());
                self.nodes
                    .insert(path.to_owned(), Node::File(self.files.len() - 1));
                self.files.len() - 1
            }
        };
        self.handles.push((file, access != Access::Read));
        Ok(())
    }

    fn writable(&mut self, handle: usize) -> Answer<&mut Vec<u8>> {
        let (file, may_write) = self.handles[handle];
        if may_write {
            Ok(&mut self.files[file])
        } else {
            Err(ErrorKind::PermissionDenied)
        }
    }

    pub(crate) fn write(&mut self, handle: usize, offset: usize, bytes: &[u8]) -> Answer<()> {
        let file = self.writable(handle)?;
        file.resize(file.len().max(offset + bytes.len()), 0);
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn truncate(&mut self, handle: usize, size: usize) -> Answer<()> {
        self.writable(handle)?.resize(size, 0);
        Ok(())
    }

    pub(crate) fn preallocate(&mut self, handle: usize, end: usize) -> Answer<()> {
        let file = self.writable(handle)?;
        file.resize(file.len().max(end), 0);
        Ok(())
    }

    pub(crate) fn read(&self, handle: usize) -> &[u8] {
        &self.files[self.handles[handle].0]
    }

    pub(crate) fn remove(&mut self, path: &str) -> Answer<()> {
        match self.must(path)? {
            Node::Dir => Err(ErrorKind::IsADirectory),
            Node::File(_) => {
                self.nodes.remove(path);
                Ok(())
            }
        }
    }

    pub(crate) fn remove_dir(&mut self, path: &str) -> Answer<()> {
        match self.must(path)? {
            Node::File(_) => Err(ErrorKind::NotADirectory),
            Node::Dir if self.has_children(path) => Err(ErrorKind::DirectoryNotEmpty),
            Node::Dir => {
                self.nodes.remove(path);
                Ok(())
            }
        }
    }

    pub(crate) fn create_dir(&mut self, path: &str) -> Answer<()> {
        match self.find(path)? {
            Some(_) => Err(ErrorKind::AlreadyExists),
            None => {
                self.nodes.insert(path.to_owned(), Node::Dir);
                Ok(())
            }
        }
    }

    pub(crate) fn link(&mut self, existing: &str, new: &str) -> Answer<()> {
        let node = self.must(existing)?;
        if node == Node::Dir {
            return Err(ErrorKind::IsADirectory);
        }
        match self.find(new)? {
            Some(_) => Err(ErrorKind::AlreadyExists),
            None => {
                self.nodes.insert(new.to_owned(), node);
                Ok(())
            }
        }
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) -> Answer<()> {
        // Both directories first, as a kernel does.
        let (moved, target) = (self.find(from)?, self.find(to)?);
        let moved = moved.ok_or(ErrorKind::NotFound)?;
        if from == to || (target == Some(moved) && moved != Node::Dir) {
            return Ok(());
        }
        if moved == Node::Dir && to.starts_with(&format!("{from}/")) {
            return Err(ErrorKind::InvalidInput);
        }
        match (moved, target) {
            (Node::File(_), Some(Node::Dir)) => return Err(ErrorKind::IsADirectory),
            (Node::Dir, Some(Node::File(_))) => return Err(ErrorKind::NotADirectory),
            (Node::Dir, Some(Node::Dir)) if self.has_children(to) => {
                return Err(ErrorKind::DirectoryNotEmpty);
            }
            _ => {}
        }
        let below = format!("{from}/");
        let taken: Vec<String> = self
            .nodes
            .keys()
            .filter(|name| name.starts_with(&below))
            .cloned()
            .collect();
        for name in taken {
            let node = self.nodes.remove(&name).unwrap();
            self.nodes
                .insert(format!("{to}{}", &name[from.len()..]), node);
        }
        self.nodes.remove(from);
        self.nodes.insert(to.to_owned(), moved);
        Ok(())
    }

    /// Every path with its bytes (none for a directory) and its count of names.
    pub(crate) fn view(&self) -> BTreeMap<String, (Option<Vec<u8>>, u32)> {
        let view = self.nodes.iter().map(|(path, node)| match node {
            Node::Dir => (path.clone(), (None, 1)),
            Node::File(file) => {
                let links = self.nodes.values().filter(|other| *other == node).count();
                let bytes = self.files[*file].clone();
                (path.clone(), (Some(bytes), u32::try_from(links).unwrap()))
            }
        });
        view.collect()
    }

    /// The directories, the root among them.
    pub(crate) fn dirs(&self) -> BTreeSet<String> {
        let dirs = self.nodes.iter().filter(|(_, node)| **node == Node::Dir);
        dirs.map(|(path, _)| path.clone())
            .chain([String::new()])
            .collect()
    }
}
