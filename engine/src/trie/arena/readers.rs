//! Invariants of readers: what a guard may see is neither changed nor reused until it is dropped.
//!
//! Guards are counted by generation. What is released while guards live is dated with the current generation,
//! and then a new one begins: guards taken afterwards cannot have seen it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// The guards of one arena, which the tables of values beside it heed too.
#[derive(Clone, Debug, Default)]
pub struct Readers(Rc<Gate>);

#[derive(Debug, Default)]
struct Gate {
    generation: Cell<u64>,
    taken: Cell<u64>,
    /// Generations of which guards live, in order, and how many.
    live: RefCell<VecDeque<(u64, u64)>>,
}

impl Readers {
    pub(super) fn enter(&self) -> Guard {
        self.0.taken.set(self.0.taken.get() + 1);
        let generation = self.0.generation.get();
        self.count(generation);
        Guard {
            readers: self.clone(),
            generation,
        }
    }

    fn count(&self, generation: u64) {
        let mut live = self.0.live.borrow_mut();
        let found = live.binary_search_by_key(&generation, |&(of, _)| of);
        match found {
            Ok(index) => live[index].1 += 1,
            Err(index) => live.insert(index, (generation, 1)),
        }
    }

    fn leave(&self, generation: u64) {
        let mut live = self.0.live.borrow_mut();
        let index = live
            .binary_search_by_key(&generation, |&(of, _)| of)
            .expect("a guard was counted when it was taken");
        live[index].1 -= 1;
        if live[index].1 == 0 {
            live.remove(index);
        }
    }

    /// Whether any guard lives.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.0.live.borrow().is_empty()
    }

    /// How many guards were ever taken: as long as it is the same, no new reader has come.
    pub(super) fn taken(&self) -> u64 {
        self.0.taken.get()
    }

    /// Ends the current generation, and gives its number.
    pub(super) fn next_generation(&self) -> u64 {
        let ended = self.0.generation.get();
        self.0.generation.set(ended + 1);
        ended
    }

    /// Whether what was released in `generation` is out of every reader's sight.
    pub(super) fn may_reuse(&self, generation: u64) -> bool {
        let live = self.0.live.borrow();
        live.front().is_none_or(|&(oldest, _)| oldest > generation)
    }
}

/// While it lives, the tries that could be read when it was taken stay as they were.
#[derive(Debug)]
pub struct Guard {
    readers: Readers,
    generation: u64,
}

impl Clone for Guard {
    fn clone(&self) -> Guard {
        self.readers.count(self.generation);
        Guard {
            readers: self.readers.clone(),
            generation: self.generation,
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.readers.leave(self.generation);
    }
}
