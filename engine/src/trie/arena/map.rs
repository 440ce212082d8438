//! Vocabulary of the trie in memory: ordered maps from byte strings, none of which begins another, to small
//! leaves; any number of them in one arena.
//!
//! Mutations are made in place. While a guard is held, whatever could be read when it was taken is copied
//! instead, so that a reader pauses as long as it likes. The owner keeps the roots, and puts a new one in
//! place of the old when a mutation is finished.

use std::fmt;
use std::marker::PhantomData;

use super::cell::CELL_SIZE;
use super::counters::{Counters, add};
use super::leaf::Leaf;
use super::mutation::Mutation;
use super::node::{CELLS_MAX, Root};
use super::readers::{Guard, Readers};
use super::space::{ArenaFull, Space};
use super::undo::Store;

/// The most that an arena may take: a little less than 2 GiB.
pub const SIZE_MAX_BYTES: u64 = (1 << 31) - 256;

/// Tries in one arena.
pub struct Arena<L> {
    pub(super) store: Store,
    leaves: PhantomData<L>,
}

impl<L> fmt::Debug for Arena<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("used_bytes", &self.used_bytes())
            .field("allocated_bytes", &self.allocated_bytes())
            .finish_non_exhaustive()
    }
}

impl<L: Leaf> Default for Arena<L> {
    fn default() -> Arena<L> {
        Arena::new()
    }
}

impl<L> Arena<L> {
    /// Bytes of cells and halves that are of a trie, or wait for readers.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        let (waiting, count) = self.store.waiting.iter(&self.store.readers);
        let gone = waiting.take(count).map(|block| match block.as_half() {
            Some(_) => CELL_SIZE as u64 / 2,
            None => CELL_SIZE as u64,
        });
        self.store.space.taken_bytes() - gone.sum::<u64>()
    }

    /// Memory of the arena, free cells and all.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.store.space.allocated_bytes()
    }

    /// What was done so far.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.store.counters
    }

    /// The guards of this arena, for tables of values beside it.
    #[must_use]
    pub fn readers(&self) -> &Readers {
        &self.store.readers
    }

    /// Keeps all tries as they are now, for as long as the guard lives, to whoever has their roots of now.
    ///
    /// # Panics
    /// While a mutation runs: its tries are neither old nor new.
    #[must_use]
    pub fn read(&self) -> Guard {
        assert!(!self.store.is_open(), "a reader comes between mutations");
        self.store.readers.enter()
    }
}

impl<L: Leaf> Arena<L> {
    /// An arena that may take almost 2 GiB.
    #[must_use]
    pub fn new() -> Arena<L> {
        Arena::with_size_max(SIZE_MAX_BYTES)
    }

    /// An arena that may take so many bytes.
    ///
    /// # Panics
    /// When that is more than [`SIZE_MAX_BYTES`].
    #[must_use]
    pub fn with_size_max(size_max_bytes: u64) -> Arena<L> {
        let space = Space::new(cells_max(size_max_bytes));
        Arena {
            store: Store::new(space),
            leaves: PhantomData,
        }
    }

    /// Lets the arena take so many bytes. What it has taken beyond that, it keeps.
    ///
    /// # Panics
    /// When that is more than [`SIZE_MAX_BYTES`].
    pub fn set_size_max(&mut self, size_max_bytes: u64) {
        self.store.space.set_cells_max(cells_max(size_max_bytes));
    }

    /// What `key` leads to.
    #[must_use]
    pub fn get(&self, root: Root, key: &[u8]) -> Option<L> {
        let mut visited = 0;
        let leaf = self.store.descend(root.0, key, &mut visited);
        add(&self.store.counters.cells_visited, visited);
        leaf
    }

    /// The first key at `key` or after it, which replaces what is in `found`, and its leaf.
    pub fn first_at_or_after(&self, root: Root, key: &[u8], found: &mut Vec<u8>) -> Option<L> {
        let mut visited = 0;
        let leaf = self.store.seek::<L, true>(root.0, key, found, &mut visited);
        add(&self.store.counters.cells_visited, visited);
        leaf
    }

    /// The last key before `key`, which replaces what is in `found`, and its leaf.
    pub fn last_before(&self, root: Root, key: &[u8], found: &mut Vec<u8>) -> Option<L> {
        let mut visited = 0;
        let leaf = self
            .store
            .seek::<L, false>(root.0, key, found, &mut visited);
        add(&self.store.counters.cells_visited, visited);
        leaf
    }

    /// Begins a mutation, of any number of steps on any number of tries.
    pub fn begin(&mut self) -> Mutation<'_, L> {
        Mutation::new(self)
    }

    /// A mutation of one [`put`](Mutation::put).
    ///
    /// # Errors
    /// When no space is left; the trie is as it was.
    pub fn put(&mut self, root: Root, key: &[u8], leaf: L) -> Result<Root, ArenaFull> {
        let mut mutation = self.begin();
        let root = mutation.put(root, key, leaf)?;
        mutation.finish();
        Ok(root)
    }

    /// A mutation of one [`remove`](Mutation::remove).
    ///
    /// # Errors
    /// When no space is left for the copies that readers need; the trie is as it was.
    pub fn remove(&mut self, root: Root, key: &[u8]) -> Result<(Root, Option<L>), ArenaFull> {
        let mut mutation = self.begin();
        let removed = mutation.remove(root, key)?;
        mutation.finish();
        Ok(removed)
    }
}

fn cells_max(size_max_bytes: u64) -> u32 {
    assert!(
        size_max_bytes <= SIZE_MAX_BYTES,
        "an arena of {size_max_bytes} bytes is larger than {SIZE_MAX_BYTES}"
    );
    const { assert!(SIZE_MAX_BYTES / (CELL_SIZE as u64) < CELLS_MAX as u64) };
    (size_max_bytes / CELL_SIZE as u64) as u32
}
