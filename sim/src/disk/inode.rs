//! Invariants of inodes: numbered once, never by a path; alive while a version of a name or a handle leads there.

use std::sync::OnceLock;

use super::content::Content;
use super::directory::Directory;

/// An inode's number, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ino(pub(super) u64);

/// The root directory.
pub(super) const ROOT: Ino = Ino(1);

/// A file or a directory.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A file.
    File(Content),
    /// A directory.
    Directory(Directory),
}

/// One inode.
#[derive(Clone, Debug)]
pub(super) struct Inode {
    /// What it is.
    pub(super) node: Node,
    /// Entry versions that lead here: the durable ones and the pending ones.
    pub(super) holders: u32,
    /// Names that lead here, as calls see it.
    pub(super) links: u32,
    /// The digest, once someone asked for it.
    pub(super) digest: OnceLock<u128>,
    /// The shares of an image's hash, once someone asked for them.
    pub(super) shares: OnceLock<u128>,
}

impl Inode {
    /// An inode to which nothing leads yet.
    pub(super) fn new(node: Node) -> Inode {
        Inode {
            node,
            holders: 0,
            links: 0,
            digest: OnceLock::new(),
            shares: OnceLock::new(),
        }
    }

    /// Whether it is a directory.
    pub(super) fn is_dir(&self) -> bool {
        matches!(self.node, Node::Directory(_))
    }

    /// The content, when it is a file.
    pub(super) fn content(&self) -> Option<&Content> {
        match &self.node {
            Node::File(content) => Some(content),
            Node::Directory(_) => None,
        }
    }

    /// The entries, when it is a directory.
    pub(super) fn directory(&self) -> Option<&Directory> {
        match &self.node {
            Node::File(_) => None,
            Node::Directory(directory) => Some(directory),
        }
    }
}
