//! Steps of folding: a node that has lost children takes the form for those that are left. One child goes on
//! in the chain or tail below; four fit a sparse node.

use super::blocks::Block;
use super::cell::CELL_SIZE;
use super::chain::{self, CHAIN_SIZE};
use super::leaf::{self, Leaf};
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::sparse;
use super::split;
use super::undo::Store;

/// A split node of so many children becomes a sparse one: some less than it holds, so that a node between
/// the two forms does not change with each put and removal.
const SHRINKS_AT: usize = 4;

impl Store {
    /// Takes the child at `byte` out of a sparse or split node, which is private from then on. The node may
    /// be left with fewer children than it may have.
    pub(super) fn unlink(&mut self, node: Node, byte: u8) -> Result<Node, ArenaFull> {
        let owned = self.own(node)?;
        let cell = owned.cell();
        if owned.kind() == Kind::Sparse {
            let index = sparse::find(self.space.at(cell), byte).expect("the child is there");
            sparse::remove(self.change(cell), index);
            return Ok(owned);
        }
        let count = split::count(self.space.at(cell));
        split::set_count(self.change(cell), count - 1);
        let group = self.own_inner(cell, split::group_word(byte))?;
        let row = self.own_inner(group, split::row_word(byte))?;
        self.change(row).set_word(split::child_word(byte), 0);
        if self.is_blank(row) {
            self.release(Block::whole(row));
            split::set_cell_at(self.change(group), split::row_word(byte), 0);
            if self.is_blank(group) {
                self.release(Block::whole(group));
                split::set_cell_at(self.change(cell), split::group_word(byte), 0);
            }
        }
        Ok(owned)
    }

    fn is_blank(&self, cell: u32) -> bool {
        *self.space.at(cell).bytes() == [0; CELL_SIZE]
    }

    /// Gives a sparse or split node the form for the children that it has.
    pub(super) fn settle<L: Leaf>(&mut self, node: Node) -> Result<Node, ArenaFull> {
        let cell = *self.space.at(node.cell());
        let count = match node.kind() {
            Kind::Split => split::count(&cell),
            _ => sparse::count(&cell),
        };
        let is_settled = match node.kind() {
            Kind::Split => count > SHRINKS_AT,
            _ => count > 1,
        };
        if is_settled {
            return Ok(node);
        }
        let mut children = [(0, Node::NONE); SHRINKS_AT];
        let mut from = Some(0);
        for place in &mut children[..count] {
            let next = from.and_then(|byte| self.space.child_at_or_after(node, byte));
            *place = next.expect("the node has so many children");
            from = place.0.checked_add(1);
        }
        self.release_branches(node);
        match children[..count] {
            [] => Ok(Node::NONE),
            [(byte, child)] => self.prepend::<L>(&[byte], child),
            ref children => Ok(Node::sparse(
                self.make_with(sparse::with_children(children))?,
            )),
        }
    }

    /// Gives back the cells of a sparse or split node, not of its children.
    pub(super) fn release_branches(&mut self, node: Node) {
        self.release(Block::whole(node.cell()));
        if node.kind() == Kind::Split {
            let head = *self.space.at(node.cell());
            let cells: Vec<u32> = split::inner_cells(&self.space, &head).collect();
            for cell in cells {
                self.release(Block::whole(cell));
            }
        }
    }

    /// A node that leads along `bytes` to what `node` is, in the tail or chain there if it has room.
    pub(super) fn prepend<L: Leaf>(&mut self, bytes: &[u8], node: Node) -> Result<Node, ArenaFull> {
        match self.prepend_within::<L>(bytes, node)? {
            Some(node) => Ok(node),
            None => self.make_chain(bytes, node),
        }
    }

    /// As `prepend`, but nothing is done when there is no room.
    fn prepend_within<L: Leaf>(
        &mut self,
        bytes: &[u8],
        node: Node,
    ) -> Result<Option<Node>, ArenaFull> {
        match node.kind() {
            Kind::Chain(offset) if offset >= bytes.len() => {
                let cell = self.own(node)?.cell();
                let start = offset - bytes.len();
                self.change(cell).bytes_mut()[start..offset].copy_from_slice(bytes);
                Ok(Some(Node::chain(cell, start)))
            }
            Kind::Leaf(_) => {
                let stored = self.stored::<L>(node);
                let size = bytes.len() + stored.tail().len();
                if !leaf::fits_cell(stored.payload_size(), size) {
                    return Ok(None);
                }
                let mut tail = [0; CELL_SIZE];
                tail[..bytes.len()].copy_from_slice(bytes);
                tail[bytes.len()..size].copy_from_slice(stored.tail());
                self.with_tail::<L>(node, &tail[..size]).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Lets a chain lead to another child, and joins the two if one of them has room for both.
    pub(super) fn lead_to<L: Leaf>(&mut self, node: Node, child: Node) -> Result<Node, ArenaFull> {
        let Kind::Chain(offset) = node.kind() else {
            panic!("the node is a chain");
        };
        let cell = *self.space.at(node.cell());
        if child.is_none() {
            self.release(Block::whole(node.cell()));
            return Ok(Node::NONE);
        }
        let bytes = &cell.bytes()[offset..CHAIN_SIZE];
        if let Some(joined) = self.prepend_within::<L>(bytes, child)? {
            self.release(Block::whole(node.cell()));
            return Ok(joined);
        }
        let owned = self.own(node)?;
        if chain::child(&cell) != child {
            self.change(owned.cell()).set_word(chain::CHILD, child.0);
        }
        Ok(owned)
    }
}
