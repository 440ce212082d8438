//! Invariants of mutations: all of it or nothing. What is not finished is put back, however it ends.

use std::ops::{Deref, Range};

use super::leaf::Leaf;
use super::map::Arena;
use super::node::Root;
use super::range::{Fate, Reach, Sweep};
use super::space::ArenaFull;

/// A change of tries in one arena. Dropped before it is finished, it leaves all as it was, and the roots that
/// it gave are none.
#[derive(Debug)]
pub struct Mutation<'a, L: Leaf> {
    arena: &'a mut Arena<L>,
    is_finished: bool,
}

impl<L: Leaf> Deref for Mutation<'_, L> {
    type Target = Arena<L>;

    fn deref(&self) -> &Arena<L> {
        self.arena
    }
}

impl<'a, L: Leaf> Mutation<'a, L> {
    pub(super) fn new(arena: &'a mut Arena<L>) -> Mutation<'a, L> {
        arena.store.begin();
        Mutation {
            arena,
            is_finished: false,
        }
    }

    /// Lets `key` lead to `leaf`, and gives the new root.
    ///
    /// # Errors
    /// When no space is left: the mutation can only be dropped then.
    ///
    /// # Panics
    /// When the key begins another one of the trie, or another one begins it.
    pub fn put(&mut self, root: Root, key: &[u8], leaf: L) -> Result<Root, ArenaFull> {
        self.replace(root, key, leaf).map(|(root, _)| root)
    }

    /// As [`put`](Mutation::put), and gives what the key led to before.
    ///
    /// # Errors
    /// As [`put`](Mutation::put).
    ///
    /// # Panics
    /// As [`put`](Mutation::put).
    pub fn replace(
        &mut self,
        root: Root,
        key: &[u8],
        leaf: L,
    ) -> Result<(Root, Option<L>), ArenaFull> {
        let (root, before) = self.arena.store.put(root.0, key, leaf)?;
        Ok((Root(root), before))
    }

    /// Takes `key` out, and gives the new root and what was there.
    ///
    /// # Errors
    /// When no space is left for the copies that readers need: the mutation can only be dropped then.
    pub fn remove(&mut self, root: Root, key: &[u8]) -> Result<(Root, Option<L>), ArenaFull> {
        let (root, before) = self.arena.store.remove(root.0, key)?;
        Ok((Root(root), before))
    }

    /// Takes all keys out, and tells of each leaf in the order of the keys.
    pub fn clear(&mut self, root: Root, mut visit: impl FnMut(L)) {
        self.arena.store.release_tree(root.0, &mut visit);
    }

    /// Removes what a deletion of the keys from `range.start` on and before `range.end` reaches: `dropped` is
    /// told of what goes unasked, `visit` decides about what may be older in part. Subtrees that are all too
    /// new are not looked at, as far as that is known.
    ///
    /// # Errors
    /// When no space is left: the mutation can only be dropped then.
    ///
    /// # Panics
    /// When more is to be dropped than visited.
    pub fn remove_range(
        &mut self,
        root: Root,
        range: Range<&[u8]>,
        reach: Reach,
        visit: impl FnMut(&[u8], L) -> Fate<L>,
        dropped: impl FnMut(L),
    ) -> Result<Root, ArenaFull> {
        let mut sweep = Sweep::new(range, reach, visit, dropped);
        let root = self.arena.store.sweep(root.0, &mut sweep)?;
        Ok(Root(root))
    }

    /// Makes the mutation final. Its roots hold from now on, and those before it no more, except to readers
    /// who hold a guard.
    pub fn finish(mut self) {
        self.is_finished = true;
        self.arena.store.finish();
    }
}

impl<L: Leaf> Drop for Mutation<'_, L> {
    fn drop(&mut self) {
        if !self.is_finished {
            self.arena.store.abort();
        }
    }
}
