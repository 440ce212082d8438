//! Steps of the bounds of write times below a node: look at its leaves, but at no more than a few; the heads
//! of split nodes know already.

use super::leaf::Leaf;
use super::node::{Kind, Node};
use super::undo::Store;
use super::{sparse, split};

/// Nodes looked at before the bounds are given up as unknown.
const NODES_MAX: usize = 256;

/// Nothing is below.
pub(super) const NOTHING: (i64, i64) = (i64::MIN, i64::MAX);

/// Anything may be below.
pub(super) const UNKNOWN: (i64, i64) = (i64::MAX, i64::MIN);

/// The greater of two greatest and the lesser of two least times.
pub(super) fn joined(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    (one.0.max(other.0), one.1.min(other.1))
}

pub(super) fn of_leaf<L: Leaf>(leaf: L) -> (i64, i64) {
    (leaf.timestamp_max(), leaf.timestamp_min())
}

impl Store {
    /// Greatest and least time below these nodes.
    pub(super) fn times_below<L: Leaf>(&self, nodes: impl Iterator<Item = Node>) -> (i64, i64) {
        let mut left: Vec<Node> = nodes.collect();
        let mut times = NOTHING;
        for _ in 0..NODES_MAX {
            let Some(node) = left.pop() else {
                return times;
            };
            let cell = self.space.at(node.cell());
            match node.kind() {
                Kind::Chain(_) => left.push(self.space.chain_child(node)),
                Kind::Sparse => {
                    left.extend((0..sparse::count(cell)).map(|index| sparse::child(cell, index)));
                }
                Kind::Split => times = joined(times, split::times(cell)),
                Kind::Leaf(_) => times = joined(times, of_leaf(self.stored::<L>(node).load::<L>())),
            }
        }
        UNKNOWN
    }
}
