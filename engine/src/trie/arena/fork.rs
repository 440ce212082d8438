//! Steps of leaves and forks: a leaf with its tail, in as little as holds it; two ways where there was one.

use super::blocks::Block;
use super::cell::{CELL_SIZE, Cell};
use super::chain::{self, CHAIN_SIZE};
use super::leaf::{self, Leaf, Stored};
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::sparse;
use super::undo::Store;

/// Why a put may panic.
pub(super) const PREFIX_FREE: &str = "a key is the beginning of another one";

impl Store {
    /// A new leaf, whose tail fits its cell.
    pub(super) fn make_leaf<L: Leaf>(&mut self, leaf: L, tail: &[u8]) -> Result<Node, ArenaFull> {
        let size = L::size(leaf.tag());
        if leaf::fits_half(size, tail.len()) {
            let (cell, half) = self.make_half()?;
            leaf::write(self.space.at_mut(cell).half_mut(half), leaf, tail);
            return Ok(Node::leaf(cell, half));
        }
        let mut cell = Cell::EMPTY;
        leaf::write(cell.bytes_mut(), leaf, tail);
        Ok(Node::leaf(self.make_with(cell)?, 0))
    }

    /// New nodes that lead along `bytes` to a leaf.
    pub(super) fn make_path<L: Leaf>(&mut self, bytes: &[u8], leaf: L) -> Result<Node, ArenaFull> {
        let size = L::size(leaf.tag());
        if leaf::fits_cell(size, bytes.len()) {
            return self.make_leaf(leaf, bytes);
        }
        let chains = |tail_size: usize| bytes.len().saturating_sub(tail_size).div_ceil(CHAIN_SIZE);
        let whole = leaf::cell_tail_max(size);
        let tail_size = match leaf::half_tail_max(size) {
            Some(half) if chains(half) <= chains(whole) => half,
            _ => whole,
        };
        let (bytes, tail) = bytes.split_at(bytes.len() - tail_size);
        let made = self.make_leaf(leaf, tail)?;
        self.make_chain(bytes, made)
    }

    /// The same leaf with another tail, which fits its cell.
    pub(super) fn with_tail<L: Leaf>(
        &mut self,
        node: Node,
        tail: &[u8],
    ) -> Result<Node, ArenaFull> {
        let leaf = self.stored::<L>(node).load();
        self.rewrite::<L>(node, leaf, tail)
    }

    /// Another leaf and tail in place of this one, at the same place if they take as much.
    pub(super) fn rewrite<L: Leaf>(
        &mut self,
        node: Node,
        leaf: L,
        tail: &[u8],
    ) -> Result<Node, ArenaFull> {
        let block = self.leaf_block::<L>(node);
        let size = L::size(leaf.tag());
        let is_half = leaf::fits_half(size, tail.len());
        let takes_as_much =
            block.as_half().is_some() == is_half && leaf::fits_cell(size, tail.len());
        if !takes_as_much || !self.is_private(block) {
            self.release(block);
            return self.make_path(tail, leaf);
        }
        match block.as_half() {
            Some(half) => leaf::write(self.change_half(block.cell(), half), leaf, tail),
            None => leaf::write(self.change(block.cell()).bytes_mut(), leaf, tail),
        }
        Ok(node)
    }

    #[inline]
    pub(super) fn stored<L: Leaf>(&self, node: Node) -> Stored<'_> {
        let Kind::Leaf(half) = node.kind() else {
            panic!("the node is a leaf");
        };
        Stored::new::<L>(self.space.at(node.cell()), half)
    }

    /// What a leaf takes.
    pub(super) fn leaf_block<L: Leaf>(&self, node: Node) -> Block {
        match node.kind() {
            Kind::Leaf(half) if self.stored::<L>(node).is_half() => Block::half(node.cell(), half),
            _ => Block::whole(node.cell()),
        }
    }

    /// A new leaf at `rest`, and a chain that leads elsewhere after some bytes in common.
    pub(super) fn fork_chain<L: Leaf>(
        &mut self,
        node: Node,
        rest: &[u8],
        leaf: L,
    ) -> Result<Node, ArenaFull> {
        let Kind::Chain(offset) = node.kind() else {
            panic!("the node is a chain");
        };
        let cell = *self.space.at(node.cell());
        let bytes = chain::bytes(&cell, offset);
        let common = chain::common_size(bytes, rest);
        assert!(common < rest.len(), "{PREFIX_FREE}");
        let after = offset + common + 1;
        let old = if after < CHAIN_SIZE {
            Node::chain(node.cell(), after)
        } else {
            self.release(Block::whole(node.cell()));
            chain::child(&cell)
        };
        let new = self.make_path(&rest[common + 1..], leaf)?;
        self.make_fork(&rest[..common], (bytes[common], old), (rest[common], new))
    }

    /// A new leaf at `rest`, and a leaf whose tail differs after some bytes in common.
    pub(super) fn fork_leaf<L: Leaf>(
        &mut self,
        node: Node,
        rest: &[u8],
        leaf: L,
    ) -> Result<Node, ArenaFull> {
        let mut tail = [0; CELL_SIZE];
        let old_tail = self.stored::<L>(node).tail();
        let tail = &mut tail[..old_tail.len()];
        tail.copy_from_slice(old_tail);
        let common = chain::common_size(tail, rest);
        assert!(common < tail.len() && common < rest.len(), "{PREFIX_FREE}");
        let old = self.with_tail::<L>(node, &tail[common + 1..])?;
        let new = self.make_path(&rest[common + 1..], leaf)?;
        self.make_fork(&rest[..common], (tail[common], old), (rest[common], new))
    }

    fn make_fork(
        &mut self,
        bytes: &[u8],
        one: (u8, Node),
        other: (u8, Node),
    ) -> Result<Node, ArenaFull> {
        let children = if one.0 < other.0 {
            [one, other]
        } else {
            [other, one]
        };
        let cell = self.make_with(sparse::with_children(&children))?;
        self.make_chain(bytes, Node::sparse(cell))
    }
}
