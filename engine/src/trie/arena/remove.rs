//! Steps of a removal: find the key and where the last branch to it begins; go there, making private what is
//! passed; take the branch away, and fold what is left.

use super::counters::add;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::space::ArenaFull;
use super::store::Way;
use super::undo::Store;

/// What a key leads to, and how many of its bytes lead to the last node that branches.
struct Found<L> {
    leaf: L,
    branch_depth: Option<usize>,
}

impl Store {
    /// Takes a key out, and gives the root and what was there.
    pub(super) fn remove<L: Leaf>(
        &mut self,
        root: Node,
        key: &[u8],
    ) -> Result<(Node, Option<L>), ArenaFull> {
        let Some(found) = self.find_branch::<L>(root, key) else {
            return Ok((root, None));
        };
        let Some(branch_depth) = found.branch_depth else {
            self.release_tree::<L>(root, &mut |_| {});
            return Ok((Node::NONE, Some(found.leaf)));
        };
        let mut way = Way::new(root);
        let mut above = None;
        let mut depth = 0;
        let branch = loop {
            let node = self.node_at(&way);
            if let Kind::Chain(offset) = node.kind() {
                let slot = way.slot();
                self.own_child(&mut way, node, 0)?;
                above = Some(slot);
                depth += super::chain::CHAIN_SIZE - offset;
            } else if depth == branch_depth {
                break node;
            } else {
                self.own_child(&mut way, node, key[depth])?;
                above = None;
                depth += 1;
            }
        };
        let gone = self.space.child(branch, key[branch_depth]);
        self.release_tree::<L>(gone, &mut |_| {});
        let left = self.unlink(branch, key[branch_depth])?;
        let left = self.settle::<L>(left)?;
        let joined = match above {
            Some(slot) if matches!(left.kind(), Kind::Chain(_) | Kind::Leaf(_)) => {
                way.back_to(slot);
                let chain = self.node_at(&way);
                self.lead_to::<L>(chain, left)?
            }
            _ => left,
        };
        self.set_node_at(&mut way, joined);
        Ok((way.root, Some(found.leaf)))
    }

    fn find_branch<L: Leaf>(&self, root: Node, key: &[u8]) -> Option<Found<L>> {
        let mut branch_depth = None;
        let mut visited = 0;
        let leaf = self.descend::<L>(root, key, &mut visited, |depth| branch_depth = Some(depth));
        add(&self.counters.cells_visited, visited);
        let leaf = leaf?;
        Some(Found { leaf, branch_depth })
    }
}
