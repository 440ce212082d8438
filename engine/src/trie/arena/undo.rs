//! Invariants of the undo log: until a mutation is finished, what it changed can be put back, what it made
//! can be given back, and what it released is still there.

use super::blocks::{Bits, Block};
use super::cell::{CELL_SIZE, Cell};
use super::counters::{Counters, add};
use super::readers::Readers;
use super::space::{ArenaFull, Space};
use super::waiting::{KEPT_MAX, Waiting};

/// What a block held before it was changed.
struct Saved {
    block: Block,
    bytes: [u8; CELL_SIZE],
}

/// The cells of an arena together with the mutation that runs.
pub(super) struct Store {
    pub(super) space: Space,
    pub(super) counters: Counters,
    pub(super) readers: Readers,
    is_open: bool,
    /// Whether readers lived when the mutation began.
    is_shared: bool,
    /// What no reader can have seen, because it was made since the last of them came.
    fresh: Bits,
    fresh_since: u64,
    saved: Vec<Saved>,
    made: Vec<Block>,
    released: Vec<Block>,
    pub(super) waiting: Waiting<Block>,
}

impl Store {
    pub(super) fn new(space: Space) -> Store {
        Store {
            space,
            counters: Counters::default(),
            readers: Readers::default(),
            is_open: false,
            is_shared: false,
            fresh: Bits::default(),
            fresh_since: 0,
            saved: Vec::new(),
            made: Vec::new(),
            released: Vec::new(),
            waiting: Waiting::new(),
        }
    }

    /// Whether a mutation runs.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn begin(&mut self) {
        assert!(!self.is_open, "one mutation at a time");
        self.is_open = true;
        self.reclaim();
        self.is_shared = self.readers.any();
        if self.is_shared && self.fresh_since != self.readers.taken() {
            self.fresh.clear();
            self.fresh_since = self.readers.taken();
        }
    }

    /// Makes the mutation final: what it released is free, or waits for the readers.
    pub(super) fn finish(&mut self) {
        assert!(self.is_open, "a mutation is finished once");
        self.is_open = false;
        self.saved.clear();
        self.made.clear();
        add(&self.counters.cells_released, self.released.len() as u64);
        let mut released = std::mem::take(&mut self.released);
        let waiting_count = self.waiting.len();
        for block in released.drain(..) {
            if self.is_private(block) {
                self.space.free(block);
            } else {
                self.waiting.push(block);
            }
        }
        let count = self.waiting.len() - waiting_count;
        self.waiting.date(count, &self.readers);
        self.released = released;
        self.trim();
    }

    /// Puts everything back as it was when the mutation began.
    pub(super) fn abort(&mut self) {
        assert!(self.is_open, "a mutation is aborted once");
        self.is_open = false;
        while let Some(saved) = self.saved.pop() {
            let cell = self.space.at_mut(saved.block.cell());
            match saved.block.as_half() {
                None => *cell.bytes_mut() = saved.bytes,
                Some(half) => cell
                    .half_mut(half)
                    .copy_from_slice(&saved.bytes[..CELL_SIZE / 2]),
            }
        }
        self.released.clear();
        let mut made = std::mem::take(&mut self.made);
        for block in made.drain(..) {
            self.space.free(block);
        }
        self.made = made;
        self.trim();
    }

    fn trim(&mut self) {
        self.saved.shrink_to(KEPT_MAX);
        self.made.shrink_to(KEPT_MAX);
        self.released.shrink_to(KEPT_MAX);
    }

    /// Whether there were readers when the mutation began, so that something may have to be copied.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether no reader can see this block, so that it is changed where it is.
    #[inline]
    pub(super) fn is_private(&self, block: Block) -> bool {
        !self.is_shared || self.fresh.contains(block.index())
    }

    /// Frees what waited for readers that are gone.
    pub(super) fn reclaim(&mut self) {
        self.waiting
            .reclaim(&self.readers, |block| self.space.free(block));
    }

    pub(super) fn make_cell(&mut self) -> Result<u32, ArenaFull> {
        let cell = self.space.take_cell()?;
        self.note_made(Block::whole(cell));
        Ok(cell)
    }

    pub(super) fn make_half(&mut self) -> Result<(u32, usize), ArenaFull> {
        let (cell, half) = self.space.take_half()?;
        self.note_made(Block::half(cell, half));
        Ok((cell, half))
    }

    #[inline]
    fn note_made(&mut self, block: Block) {
        assert!(self.is_open, "cells are made by mutations");
        self.made.push(block);
        if self.is_shared {
            self.fresh.insert(block.index());
        }
        add(&self.counters.cells_made, 1);
    }

    pub(super) fn release(&mut self, block: Block) {
        assert!(self.is_open, "cells are released by mutations");
        self.released.push(block);
    }

    /// A private cell, to be changed.
    #[inline]
    pub(super) fn change(&mut self, cell: u32) -> &mut Cell {
        let block = Block::whole(cell);
        let bytes = *self.space.at(cell).bytes();
        self.saved.push(Saved { block, bytes });
        self.space.at_mut(cell)
    }

    /// A private half, to be changed.
    pub(super) fn change_half(&mut self, cell: u32, half: usize) -> &mut [u8; CELL_SIZE / 2] {
        let block = Block::half(cell, half);
        let mut bytes = [0; CELL_SIZE];
        bytes[..CELL_SIZE / 2].copy_from_slice(self.space.at(cell).half(half));
        self.saved.push(Saved { block, bytes });
        self.space.at_mut(cell).half_mut(half)
    }
}
