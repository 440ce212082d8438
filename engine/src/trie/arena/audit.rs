//! Invariants of an arena, held against what is in it: every block has one owner, every node the form for what
//! it holds, children are in order, and bounds of times are bounds.

use super::blocks::{Bits, Block};
use super::bounds::{UNKNOWN, of_leaf};
use super::cell::CELL_SIZE;
use super::leaf::Leaf;
use super::map::Arena;
use super::node::{Kind, Node, Root};
use super::undo::Store;
use super::{sparse, split};

/// What is wrong with an arena, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsound(String);

fn unless(is_sound: bool, what: impl FnOnce() -> String) -> Result<(), Unsound> {
    if is_sound {
        Ok(())
    } else {
        Err(Unsound(what()))
    }
}

/// Halves of cells that have an owner.
#[derive(Default)]
struct Ledger {
    halves: Bits,
    count: u64,
}

impl Ledger {
    fn enter(&mut self, block: Block, owner: &str) -> Result<(), Unsound> {
        for half in halves(block) {
            self.count += 1;
            let is_first = self.halves.insert(half);
            unless(is_first, || {
                format!("cell {} is {owner}, and something else", block.cell())
            })?;
        }
        Ok(())
    }
}

fn halves(block: Block) -> std::ops::Range<usize> {
    let first = block.cell() as usize * 2;
    match block.as_half() {
        Some(half) => first + half..first + half + 1,
        None => first..first + 2,
    }
}

impl<L: Leaf> Arena<L> {
    /// Walks the tries of `roots`, which are all that there are, and those that readers with guards still see,
    /// and holds all cells against them.
    ///
    /// # Errors
    /// Says what is wrong.
    ///
    /// # Panics
    /// While a mutation runs.
    pub fn audit(&self, roots: &[Root], seen: &[Root]) -> Result<(), Unsound> {
        let store = &self.store;
        assert!(!store.is_open(), "an audit comes between mutations");
        let mut ledger = Ledger::default();
        for root in roots {
            store.walk::<L>(root.0, |block| ledger.enter(block, "of a trie"))?;
        }
        let (waiting, _) = store.waiting.iter(&store.readers);
        for block in waiting {
            ledger.enter(block, "waiting")?;
        }
        let (taken, counted) = (
            ledger.count * CELL_SIZE as u64 / 2,
            store.space.taken_bytes(),
        );
        unless(taken == counted, || {
            format!("{taken} bytes are taken, {counted} are counted")
        })?;
        let (free, cells_used) = store.space.free_blocks();
        let mut free_halves = Bits::default();
        for &block in &free {
            ledger.enter(block, "free")?;
            free_halves.extend(halves(block));
        }
        // Cell 0 is never used.
        let all = u64::from(cells_used - 1) * 2;
        unless(ledger.count == all, || {
            format!("{} of {all} halves of cells have an owner", ledger.count)
        })?;
        for root in seen {
            store.walk::<L>(root.0, |block| {
                let is_free = halves(block).any(|half| free_halves.contains(half));
                unless(!is_free, || {
                    format!("cell {} is free, and a reader sees it", block.cell())
                })
            })?;
        }
        Ok(())
    }
}

impl Store {
    /// Tells of all blocks of a trie, and checks its nodes on the way.
    fn walk<L: Leaf>(
        &self,
        root: Node,
        mut enter: impl FnMut(Block) -> Result<(), Unsound>,
    ) -> Result<(), Unsound> {
        let mut left = Vec::new();
        if !root.is_none() {
            left.push((root, UNKNOWN));
        }
        while let Some((node, (max, min))) = left.pop() {
            let cell = *self.space.at(node.cell());
            let at = node.cell();
            match node.kind() {
                Kind::Leaf(_) => {
                    enter(self.leaf_block::<L>(node))?;
                    let times = of_leaf(self.stored::<L>(node).load::<L>());
                    let is_within = times.0 <= max && times.1 >= min;
                    unless(is_within, || {
                        format!("the times of leaf {at} are not within")
                    })?;
                }
                Kind::Chain(_) => {
                    enter(Block::whole(at))?;
                    let child = self.space.chain_child(node);
                    unless(!child.is_none(), || format!("chain {at} leads nowhere"))?;
                    left.push((child, (max, min)));
                }
                Kind::Sparse => {
                    enter(Block::whole(at))?;
                    let children = self.children(node);
                    let is_sound = (2..=sparse::CHILDREN_MAX).contains(&sparse::count(&cell))
                        && children.len() == sparse::count(&cell)
                        && sparse::bytes(&cell).is_sorted_by(|one, other| one < other);
                    unless(is_sound, || format!("sparse node {at} is not one"))?;
                    left.extend(children.into_iter().map(|(_, child)| (child, (max, min))));
                }
                Kind::Split => {
                    enter(Block::whole(at))?;
                    for inner in split::inner_cells(&self.space, &cell) {
                        enter(Block::whole(inner))?;
                        let is_blank = self.space.at(inner).bytes().iter().all(|&byte| byte == 0);
                        unless(!is_blank, || format!("split node {at} has a blank cell"))?;
                    }
                    let children = self.children(node);
                    let is_sound = children.len() > 4 && children.len() == split::count(&cell);
                    unless(is_sound, || {
                        let (found, count) = (children.len(), split::count(&cell));
                        format!("split node {at} has {found} children and counts {count}")
                    })?;
                    let times = split::times(&cell);
                    let times = (times.0.min(max), times.1.max(min));
                    left.extend(children.into_iter().map(|(_, child)| (child, times)));
                }
            }
        }
        Ok(())
    }

    /// The children of a sparse or split node in order.
    pub(super) fn children(&self, node: Node) -> Vec<(u8, Node)> {
        let mut children = Vec::new();
        let mut from = Some(0);
        while let Some((byte, child)) =
            from.and_then(|byte| self.space.child_at_or_after(node, byte))
        {
            children.push((byte, child));
            from = byte.checked_add(1);
        }
        children
    }
}
