//! Steps of a seek: follow the key down, and note the nearest branch on the side that is sought; where the way
//! parts from the key, either all below is what is sought, or all below that branch is; go to its end.

use std::cmp::Ordering;

use super::chain;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::undo::Store;

/// A branch beside the way: how many bytes of the key lead to where it begins, and its first byte.
struct Beside {
    node: Node,
    depth: usize,
    byte: u8,
}

/// Where the way parts from the key.
enum Parting {
    /// All below, so many bytes down, is on the side that is sought.
    Below(Node, usize),
    /// Nothing below is.
    Beside,
}

impl Store {
    /// The nearest key at `key` or after it, or the nearest before it.
    pub(super) fn seek<L: Leaf, const AFTER: bool>(
        &self,
        root: Node,
        key: &[u8],
        found: &mut Vec<u8>,
        visited: &mut u64,
    ) -> Option<L> {
        found.clear();
        if root.is_none() {
            return None;
        }
        let mut beside = None;
        match self.part::<L, AFTER>(root, key, &mut beside, visited) {
            Parting::Below(node, depth) => {
                found.extend_from_slice(&key[..depth]);
                Some(self.end::<L, AFTER>(node, found, visited))
            }
            Parting::Beside => {
                let Beside { node, depth, byte } = beside?;
                found.extend_from_slice(&key[..depth]);
                found.push(byte);
                Some(self.end::<L, AFTER>(node, found, visited))
            }
        }
    }

    #[inline]
    fn part<L: Leaf, const AFTER: bool>(
        &self,
        root: Node,
        key: &[u8],
        beside: &mut Option<Beside>,
        visited: &mut u64,
    ) -> Parting {
        let (mut node, mut depth) = (root, 0);
        let decide = |ordering: Ordering, node, depth| {
            if (ordering == Ordering::Greater) == AFTER {
                Parting::Below(node, depth)
            } else {
                Parting::Beside
            }
        };
        loop {
            *visited += 1;
            let rest = &key[depth..];
            match node.kind() {
                Kind::Chain(offset) => {
                    let bytes = chain::bytes(self.space.at(node.cell()), offset);
                    let common = chain::common_size(bytes, rest);
                    if common < bytes.len() {
                        let ordering = bytes[common..].cmp(&rest[common..]);
                        return decide(ordering, node, depth);
                    }
                    depth += common;
                    node = self.space.chain_child(node);
                }
                Kind::Leaf(_) => {
                    let tail = self.stored::<L>(node).tail();
                    let common = chain::common_size(tail, rest);
                    let ordering = tail[common..].cmp(&rest[common..]);
                    let ordering = ordering.then(Ordering::Greater);
                    return decide(ordering, node, depth);
                }
                Kind::Sparse | Kind::Split => {
                    *visited += if node.kind() == Kind::Split { 2 } else { 0 };
                    let Some(&byte) = rest.first() else {
                        return decide(Ordering::Greater, node, depth);
                    };
                    let (child, next) = self.space.child_and_beside::<AFTER>(node, byte);
                    if let Some((byte, node)) = next {
                        *beside = Some(Beside { node, depth, byte });
                    }
                    node = child;
                    if node.is_none() {
                        return Parting::Beside;
                    }
                    depth += 1;
                }
            }
        }
    }

    /// The first or last leaf below, and the bytes that lead there.
    fn end<L: Leaf, const FIRST: bool>(
        &self,
        node: Node,
        found: &mut Vec<u8>,
        visited: &mut u64,
    ) -> L {
        let mut node = node;
        loop {
            *visited += 1;
            match node.kind() {
                Kind::Chain(offset) => {
                    let cell = self.space.at(node.cell());
                    found.extend_from_slice(chain::bytes(cell, offset));
                    node = chain::child(cell);
                }
                Kind::Leaf(_) => {
                    let stored = self.stored::<L>(node);
                    found.extend_from_slice(stored.tail());
                    return stored.load();
                }
                Kind::Sparse | Kind::Split => {
                    *visited += if node.kind() == Kind::Split { 2 } else { 0 };
                    let child = self.space.end_child::<FIRST>(node);
                    let (byte, child) = child.expect("a node that branches has children");
                    found.push(byte);
                    node = child;
                }
            }
        }
    }
}
