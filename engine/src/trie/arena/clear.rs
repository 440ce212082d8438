//! Steps of clearing: take a node from those that are left, give its cells back, and leave its children; no
//! path is longer than memory allows.

use super::blocks::Block;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::undo::Store;
use super::{sparse, split};

impl Store {
    /// Gives back all that is below, and tells of each leaf.
    pub(super) fn release_tree<L: Leaf>(&mut self, root: Node, visit: &mut impl FnMut(L)) {
        let mut left = Vec::new();
        let mut next = (!root.is_none()).then_some(root);
        while let Some(node) = next.or_else(|| left.pop()) {
            next = None;
            let cell = *self.space.at(node.cell());
            match node.kind() {
                Kind::Chain(_) => {
                    self.release(Block::whole(node.cell()));
                    next = Some(self.space.chain_child(node));
                }
                Kind::Leaf(_) => {
                    visit(self.stored::<L>(node).load());
                    let block = self.leaf_block::<L>(node);
                    self.release(block);
                }
                Kind::Sparse => {
                    self.release(Block::whole(node.cell()));
                    let children = (0..sparse::count(&cell)).rev();
                    left.extend(children.map(|index| sparse::child(&cell, index)));
                }
                Kind::Split => {
                    let mut from = Some(u8::MAX);
                    while let Some((byte, child)) =
                        from.and_then(|byte| split::from::<false>(&self.space, &cell, byte))
                    {
                        left.push(child);
                        from = byte.checked_sub(1);
                    }
                    self.release_branches(node);
                }
            }
        }
    }
}
