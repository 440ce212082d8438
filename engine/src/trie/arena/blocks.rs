//! Vocabulary of blocks: the units in which cells are taken and given back, whole or by halves.

use super::cell::Cell;
use super::leaf::FREE_HALF;

/// A cell, or one half of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block(u32);

const WHOLE: u32 = 2;
const KIND_BITS: u32 = 2;
const KIND_MASK: u32 = (1 << KIND_BITS) - 1;

impl Block {
    pub(super) const fn whole(cell: u32) -> Block {
        Block(cell << KIND_BITS | WHOLE)
    }

    pub(super) const fn half(cell: u32, half: usize) -> Block {
        assert!(half < 2, "a cell has two halves");
        Block(cell << KIND_BITS | half as u32)
    }

    pub(super) const fn cell(self) -> u32 {
        self.0 >> KIND_BITS
    }

    /// Which half it is, if it is one.
    pub(super) const fn as_half(self) -> Option<usize> {
        let kind = self.0 & KIND_MASK;
        if kind == WHOLE {
            None
        } else {
            Some(kind as usize)
        }
    }

    /// A number of its own for each block that holds a node at the same time as others.
    pub(super) const fn index(self) -> usize {
        let half = self.0 & KIND_MASK & 1;
        (self.cell() << 1 | half) as usize
    }
}

/// The numbers of a free half: the free halves before and after it in their list, 0 for none.
pub(super) struct FreeHalf;

impl FreeHalf {
    pub(super) const BEFORE: usize = 1;
    pub(super) const AFTER: usize = 2;

    pub(super) fn is(cell: &Cell, half: usize) -> bool {
        cell.half(half)[0] == FREE_HALF
    }

    pub(super) fn write(cell: &mut Cell, half: usize, before: u32, after: u32) {
        cell.half_mut(half)[0] = FREE_HALF;
        cell.set_word(half * 4 + FreeHalf::BEFORE, before);
        cell.set_word(half * 4 + FreeHalf::AFTER, after);
    }

    pub(super) fn before(cell: &Cell, half: usize) -> u32 {
        cell.word(half * 4 + FreeHalf::BEFORE)
    }

    pub(super) fn after(cell: &Cell, half: usize) -> u32 {
        cell.word(half * 4 + FreeHalf::AFTER)
    }
}

/// A growing set of numbers that is emptied in the time of what was put in.
#[derive(Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    touched: Vec<u32>,
}

impl Bits {
    pub(super) fn contains(&self, index: usize) -> bool {
        let word = self.words.get(index / 64).copied().unwrap_or(0);
        word & 1 << (index % 64) != 0
    }

    /// Puts a number in; false when it was there.
    pub(super) fn insert(&mut self, index: usize) -> bool {
        let word = index / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if self.words[word] == 0 {
            self.touched.push(word as u32);
        }
        let is_new = self.words[word] & 1 << (index % 64) == 0;
        self.words[word] |= 1 << (index % 64);
        is_new
    }

    pub(super) fn extend(&mut self, indices: impl Iterator<Item = usize>) {
        for index in indices {
            self.insert(index);
        }
    }

    pub(super) fn clear(&mut self) {
        for word in self.touched.drain(..) {
            self.words[word as usize] = 0;
        }
    }
}
