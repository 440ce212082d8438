//! Steps of a look-up: follow the key down; a leaf's tail says whether it is the one.

use super::chain;
use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::undo::Store;
use super::{sparse, split};

impl Store {
    /// What a key leads to. Counts cells.
    #[inline]
    pub(super) fn descend<L: Leaf>(&self, root: Node, key: &[u8], visited: &mut u64) -> Option<L> {
        let mut node = root;
        let mut rest = key;
        while !node.is_none() {
            *visited += 1;
            let cell = self.space.at(node.cell());
            match node.kind() {
                Kind::Chain(offset) => {
                    rest = chain::after(rest, chain::bytes(cell, offset))?;
                    node = chain::child(cell);
                }
                Kind::Sparse => {
                    let (&byte, after) = rest.split_first()?;
                    node = sparse::child(cell, sparse::find(cell, byte)?);
                    rest = after;
                }
                Kind::Split => {
                    *visited += 2;
                    let (&byte, after) = rest.split_first()?;
                    node = split::child(&self.space, cell, byte);
                    rest = after;
                }
                Kind::Leaf(_) => {
                    let stored = self.stored::<L>(node);
                    return chain::after(rest, stored.tail())?
                        .is_empty()
                        .then(|| stored.load());
                }
            }
        }
        None
    }
}
