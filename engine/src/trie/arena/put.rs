//! Steps of a put: go down, making private what is passed; replace the leaf that is there, or fork the way,
//! or add a child, for which a full sparse node becomes a split one.

use super::blocks::Block;
use super::bounds::{joined, of_leaf};
use super::cell::Cell;
use super::chain;
use super::counters::add;
use super::fork::PREFIX_FREE;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::store::Way;
use super::undo::Store;
use super::{sparse, split};

impl Store {
    /// Puts a leaf at a key, and gives the root and what was there before.
    pub(super) fn put<L: Leaf>(
        &mut self,
        root: Node,
        key: &[u8],
        leaf: L,
    ) -> Result<(Node, Option<L>), ArenaFull> {
        let mut way = Way::new(root);
        let mut rest = key;
        let mut visited = 0;
        let before = loop {
            let node = self.node_at(&way);
            if node.is_none() {
                let made = self.make_path(rest, leaf)?;
                self.set_node_at(&mut way, made);
                break None;
            }
            visited += 1;
            let child = match node.kind() {
                Kind::Chain(offset) => {
                    let bytes = chain::bytes(self.space.at(node.cell()), offset);
                    if let Some(after) = chain::after(rest, bytes) {
                        self.own_child(&mut way, node, 0)?;
                        rest = after;
                        continue;
                    }
                    self.fork_chain(node, rest, leaf)?
                }
                Kind::Leaf(_) => {
                    let stored = self.stored::<L>(node);
                    if stored.tail() == rest {
                        let before = stored.load();
                        let node = self.rewrite(node, leaf, rest)?;
                        self.set_node_at(&mut way, node);
                        break Some(before);
                    }
                    self.fork_leaf(node, rest, leaf)?
                }
                Kind::Sparse => {
                    let (&byte, after) = rest.split_first().expect(PREFIX_FREE);
                    rest = after;
                    if sparse::find(self.space.at(node.cell()), byte).is_some() {
                        self.own_child(&mut way, node, byte)?;
                        continue;
                    }
                    let made = self.make_path(rest, leaf)?;
                    self.add_to_sparse::<L>(node, byte, made)?
                }
                Kind::Split => {
                    let (&byte, after) = rest.split_first().expect(PREFIX_FREE);
                    rest = after;
                    visited += 2;
                    self.pass_split(&mut way, node, byte, leaf)?;
                    continue;
                }
            };
            self.set_node_at(&mut way, child);
            break None;
        };
        add(&self.counters.cells_visited, visited);
        Ok((way.root, before))
    }

    /// Goes down a split node to where the child of `byte` is or will be.
    fn pass_split<L: Leaf>(
        &mut self,
        way: &mut Way,
        node: Node,
        byte: u8,
        leaf: L,
    ) -> Result<(), ArenaFull> {
        let head = self.own_at(way, node)?.cell();
        let times = split::times(self.space.at(head));
        let wider = joined(times, of_leaf(leaf));
        if wider != times {
            split::set_times(self.change(head), wider);
        }
        let row = self.own_row(head, byte)?;
        let word = split::child_word(byte);
        if self.space.at(row).word(word) == 0 {
            let count = split::count(self.space.at(head));
            split::set_count(self.change(head), count + 1);
        }
        way.down(row, word);
        Ok(())
    }

    fn add_to_sparse<L: Leaf>(
        &mut self,
        node: Node,
        byte: u8,
        child: Node,
    ) -> Result<Node, ArenaFull> {
        if sparse::count(self.space.at(node.cell())) < sparse::CHILDREN_MAX {
            let owned = self.own(node)?;
            sparse::insert(self.change(owned.cell()), byte, child);
            return Ok(owned);
        }
        self.release(Block::whole(node.cell()));
        let old = *self.space.at(node.cell());
        let children = (0..sparse::CHILDREN_MAX).map(|index| sparse::child(&old, index));
        let times = self.times_below::<L>(children.chain([child]));
        let mut head = Cell::EMPTY;
        split::set_times(&mut head, times);
        split::set_count(&mut head, sparse::CHILDREN_MAX + 1);
        let head = self.make_with(head)?;
        self.set_in_row(head, byte, child)?;
        for (index, &byte) in sparse::bytes(&old).iter().enumerate() {
            self.set_in_row(head, byte, sparse::child(&old, index))?;
        }
        Ok(Node::split(head))
    }

    /// Lets a byte lead to a child in a private split node, which counts it already.
    pub(super) fn set_in_row(&mut self, head: u32, byte: u8, child: Node) -> Result<(), ArenaFull> {
        let row = self.own_row(head, byte)?;
        self.change(row).set_word(split::child_word(byte), child.0);
        Ok(())
    }
}
