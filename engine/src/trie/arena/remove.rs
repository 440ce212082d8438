//! Steps of a removal: find the key and the last branch on the way; where readers may look, make private what
//! leads there; take the branch away, and fold what is left.

use super::chain::{self, CHAIN_SIZE, CHILD};
use super::counters::add;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::store::{Slot, Way};
use super::undo::Store;
use super::{sparse, split};

/// The last node that branches on the way to a key.
struct Branch {
    /// How many bytes lead there, and the next one.
    depth: usize,
    byte: u8,
    /// Where the pointer to it stands, and where that to the chain stands which leads to it, if one does.
    slot: Slot,
    above: Option<Slot>,
    /// What the byte leads to.
    child: Node,
}

impl Store {
    /// Takes a key out, and gives the root and what was there.
    pub(super) fn remove<L: Leaf>(
        &mut self,
        root: Node,
        key: &[u8],
    ) -> Result<(Node, Option<L>), ArenaFull> {
        let mut visited = 0;
        let found = self.find_branch::<L>(root, key, &mut visited);
        add(&self.counters.cells_visited, visited);
        let Some((leaf, branch)) = found else {
            return Ok((root, None));
        };
        let Some(mut branch) = branch else {
            self.release_tree::<L>(root, &mut |_| {});
            return Ok((Node::NONE, Some(leaf)));
        };
        let mut way = Way::new(root);
        if self.is_shared() {
            self.own_way(&mut way, key, &mut branch)?;
        }
        self.release_tree::<L>(branch.child, &mut |_| {});
        way.back_to(branch.slot);
        let node = self.node_at(&way);
        let left = self.unlink(node, branch.byte)?;
        let left = self.settle::<L>(left)?;
        match branch.above {
            Some(slot) if matches!(left.kind(), Kind::Chain(_) | Kind::Leaf(_)) => {
                way.back_to(slot);
                let chain = self.node_at(&way);
                let joined = self.lead_to::<L>(chain, left)?;
                self.set_node_at(&mut way, joined);
            }
            _ if left == node => {}
            _ => self.set_node_at(&mut way, left),
        }
        Ok((way.root, Some(leaf)))
    }

    /// What a key leads to, and the last branch on the way there.
    fn find_branch<L: Leaf>(
        &self,
        root: Node,
        key: &[u8],
        visited: &mut u64,
    ) -> Option<(L, Option<Branch>)> {
        let (mut slot, mut above) = (Slot::ROOT, None);
        let mut branch = None;
        let mut node = root;
        let mut rest = key;
        while !node.is_none() {
            *visited += 1;
            let cell = self.space.at(node.cell());
            let (child, child_slot) = match node.kind() {
                Kind::Chain(offset) => {
                    rest = chain::after(rest, chain::bytes(cell, offset))?;
                    above = Some(slot);
                    slot = Slot::new(node.cell(), CHILD);
                    node = chain::child(cell);
                    continue;
                }
                Kind::Leaf(_) => {
                    let stored = self.stored::<L>(node);
                    let is_it = chain::after(rest, stored.tail())?.is_empty();
                    return is_it.then(|| (stored.load(), branch));
                }
                Kind::Sparse => {
                    let index = sparse::find(cell, *rest.first()?)?;
                    (sparse::child(cell, index), Slot::new(node.cell(), index))
                }
                Kind::Split => {
                    *visited += 2;
                    let byte = *rest.first()?;
                    let row = split::row(&self.space, cell, byte)?;
                    let word = split::child_word(byte);
                    (Node(self.space.at(row).word(word)), Slot::new(row, word))
                }
            };
            branch = Some(Branch {
                depth: key.len() - rest.len(),
                byte: rest[0],
                slot,
                above,
                child,
            });
            rest = &rest[1..];
            (node, slot, above) = (child, child_slot, None);
        }
        None
    }

    /// Makes private what leads to the branch.
    fn own_way(&mut self, way: &mut Way, key: &[u8], branch: &mut Branch) -> Result<(), ArenaFull> {
        let mut depth = 0;
        branch.above = None;
        loop {
            branch.slot = way.slot();
            let node = self.node_at(way);
            if let Kind::Chain(offset) = node.kind() {
                self.own_child(way, node, 0)?;
                branch.above = Some(branch.slot);
                depth += CHAIN_SIZE - offset;
            } else if depth == branch.depth {
                return Ok(());
            } else {
                self.own_child(way, node, key[depth])?;
                branch.above = None;
                depth += 1;
            }
        }
    }
}
