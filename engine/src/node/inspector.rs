//! Invariants of an inspector: it sees what a node shows and what it wrote down of that, changes nothing, and keeps
//! nothing of it alive.

use std::rc::Weak;

use super::running::Node;

/// A look into a node as it runs.
#[derive(Clone, Debug)]
pub struct Inspector {
    pub(super) node: Weak<Node>,
}

impl Inspector {
    /// What contradicts itself in the node's store now, in words; nothing once the node has ended. It may be
    /// asked between any two steps.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        let node = self.node.upgrade();
        node.map_or_else(Vec::new, |node| node.store.violations())
    }
}
