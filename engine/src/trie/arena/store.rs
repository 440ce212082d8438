//! Steps of changing a node: make it private, and let the pointer to it, which is private by then, follow.

use super::blocks::Block;
use super::cell::Cell;
use super::chain::CHILD;
use super::counters::add;
use super::node::{Kind, Node};
use super::space::{ArenaFull, Space};
use super::undo::Store;
use super::{chain, sparse, split};

/// Where a pointer stands: in a private cell, or as the root of the trie.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    cell: u32,
    word: usize,
}

/// A way down from a root, all of it private.
pub(super) struct Way {
    pub(super) root: Node,
    slot: Slot,
}

impl Slot {
    /// The root of a trie.
    pub(super) const ROOT: Slot = Slot { cell: 0, word: 0 };

    #[inline]
    pub(super) fn new(cell: u32, word: usize) -> Slot {
        Slot { cell, word }
    }
}

impl Way {
    pub(super) fn new(root: Node) -> Way {
        let slot = Slot::ROOT;
        Way { root, slot }
    }

    /// Where the pointer to this node stands.
    pub(super) fn slot(&self) -> Slot {
        self.slot
    }

    /// Goes back up to where a pointer stands.
    pub(super) fn back_to(&mut self, slot: Slot) {
        self.slot = slot;
    }

    /// Goes down to the pointer in a word of a private cell.
    #[inline]
    pub(super) fn down(&mut self, cell: u32, word: usize) {
        self.slot = Slot::new(cell, word);
    }
}

impl Store {
    /// The node that the way has come to.
    #[inline]
    pub(super) fn node_at(&self, way: &Way) -> Node {
        if way.slot.cell == 0 {
            way.root
        } else {
            Node(self.space.at(way.slot.cell).word(way.slot.word))
        }
    }

    /// Puts another node where the way has come to.
    #[inline]
    pub(super) fn set_node_at(&mut self, way: &mut Way, node: Node) {
        if way.slot.cell == 0 {
            way.root = node;
        } else {
            self.change(way.slot.cell).set_word(way.slot.word, node.0);
        }
    }

    /// Makes the first cell of the node private that the way has come to.
    #[inline]
    pub(super) fn own_at(&mut self, way: &mut Way, node: Node) -> Result<Node, ArenaFull> {
        let owned = self.own(node)?;
        if owned != node {
            self.set_node_at(way, owned);
        }
        Ok(owned)
    }

    /// The same node with its first cell private.
    #[inline]
    pub(super) fn own(&mut self, node: Node) -> Result<Node, ArenaFull> {
        if self.is_private(Block::whole(node.cell())) {
            return Ok(node);
        }
        Ok(node.moved_to(self.copy(node.cell())?))
    }

    pub(super) fn copy(&mut self, cell: u32) -> Result<u32, ArenaFull> {
        let copy = self.make_with(*self.space.at(cell))?;
        self.release(Block::whole(cell));
        add(&self.counters.cells_copied, 1);
        Ok(copy)
    }

    /// A new cell that holds this.
    #[inline]
    pub(super) fn make_with(&mut self, contents: Cell) -> Result<u32, ArenaFull> {
        let cell = self.make_cell()?;
        *self.space.at_mut(cell) = contents;
        Ok(cell)
    }

    /// A word of a private head or group, with the cell that it names made private, or made at all.
    pub(super) fn own_inner(&mut self, cell: u32, word: usize) -> Result<u32, ArenaFull> {
        let inner = split::cell_at(self.space.at(cell), word);
        if inner != 0 && self.is_private(Block::whole(inner)) {
            return Ok(inner);
        }
        let owned = if inner == 0 {
            self.make_with(Cell::EMPTY)?
        } else {
            self.copy(inner)?
        };
        split::set_cell_at(self.change(cell), word, owned);
        Ok(owned)
    }

    /// The row of `byte` in a split node whose head is private, made private.
    #[inline]
    pub(super) fn own_row(&mut self, head: u32, byte: u8) -> Result<u32, ArenaFull> {
        let group = self.own_inner(head, split::group_word(byte))?;
        self.own_inner(group, split::row_word(byte))
    }

    /// Goes down the way to the child at `byte` of this node, which is there.
    #[inline]
    pub(super) fn own_child(
        &mut self,
        way: &mut Way,
        node: Node,
        byte: u8,
    ) -> Result<(), ArenaFull> {
        let cell = self.own_at(way, node)?.cell();
        match node.kind() {
            Kind::Chain(_) => way.down(cell, CHILD),
            Kind::Sparse => {
                let index = sparse::find(self.space.at(cell), byte);
                way.down(cell, index.expect("the child is there"));
            }
            Kind::Split => {
                let row = self.own_row(cell, byte)?;
                way.down(row, split::child_word(byte));
            }
            Kind::Leaf(_) => panic!("a leaf has no children"),
        }
        Ok(())
    }

    /// Lets a byte of a sparse or split node, where there is a child, lead to another one.
    pub(super) fn relink(&mut self, node: Node, byte: u8, child: Node) -> Result<Node, ArenaFull> {
        let mut way = Way::new(node);
        self.own_child(&mut way, node, byte)?;
        self.set_node_at(&mut way, child);
        Ok(way.root)
    }
}

impl Space {
    /// The child of a sparse or split node that `byte` leads to, and the next one after it or before it.
    #[inline]
    pub(super) fn child_and_beside<const AFTER: bool>(
        &self,
        node: Node,
        byte: u8,
    ) -> (Node, Option<(u8, Node)>) {
        let cell = self.at(node.cell());
        if node.kind() == Kind::Split {
            return split::child_and_beside::<AFTER>(self, cell, byte);
        }
        let bytes = sparse::bytes(cell);
        let index = sparse::at_or_after(cell, byte);
        let is_there = bytes.get(index) == Some(&byte);
        let child = if is_there {
            sparse::child(cell, index)
        } else {
            Node::NONE
        };
        let beside = if AFTER {
            Some(index + usize::from(is_there))
        } else {
            index.checked_sub(1)
        };
        let beside =
            beside.and_then(|index| Some((*bytes.get(index)?, sparse::child(cell, index))));
        (child, beside)
    }

    /// The first child of a sparse or split node, or the last.
    #[inline]
    pub(super) fn end_child<const FIRST: bool>(&self, node: Node) -> Option<(u8, Node)> {
        let cell = self.at(node.cell());
        if node.kind() == Kind::Split {
            return split::end::<FIRST>(self, cell);
        }
        let bytes = sparse::bytes(cell);
        let index = if FIRST { 0 } else { bytes.len() - 1 };
        Some((bytes[index], sparse::child(cell, index)))
    }

    /// The first child of a sparse or split node that `byte` or a greater one leads to.
    #[inline]
    pub(super) fn child_at_or_after(&self, node: Node, byte: u8) -> Option<(u8, Node)> {
        self.child_from::<true>(node, byte)
    }

    /// The first child of a sparse or split node at `byte` or after it, or the last at `byte` or before it.
    #[inline]
    pub(super) fn child_from<const AFTER: bool>(&self, node: Node, byte: u8) -> Option<(u8, Node)> {
        let cell = self.at(node.cell());
        if node.kind() == Kind::Split {
            return split::from::<AFTER>(self, cell, byte);
        }
        let bytes = sparse::bytes(cell);
        let index = if AFTER {
            sparse::at_or_after(cell, byte)
        } else {
            bytes.iter().rposition(|&other| other <= byte)?
        };
        Some((*bytes.get(index)?, sparse::child(cell, index)))
    }

    /// What a chain leads to.
    #[inline]
    pub(super) fn chain_child(&self, node: Node) -> Node {
        chain::child(self.at(node.cell()))
    }
}
