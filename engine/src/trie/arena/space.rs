//! Invariants of space: every cell is of one owner, free, or waiting until no reader may see it.
//!
//! Free cells are a list within themselves, and so are free halves of cells; two free halves become a free
//! cell. Cells that were never used come last. A cell counts as taken as long as one half of it is.

use super::blocks::{Block, FreeHalf};
use super::cell::{CELL_SIZE, Cell};
use super::chunks::Chunks;

/// The next free cell stands in this word of a free one.
const NEXT: usize = 0;

/// No cell is left within the size that the arena may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the trie has no space left: it may take {size_max_bytes} bytes")]
pub struct ArenaFull {
    /// How much the arena may take.
    pub size_max_bytes: u64,
}

/// Where cells come from and go to.
pub(super) struct Space {
    chunks: Chunks,
    /// The first cell that was never used.
    unused: u32,
    cells_max: u32,
    free_cell: u32,
    free_half: u32,
    cells_taken: u32,
    halves_free: u32,
}

impl Space {
    pub(super) fn new(cells_max: u32) -> Space {
        Space {
            chunks: Chunks::default(),
            // Cell 0 is no cell: a pointer to it is no pointer.
            unused: 1,
            cells_max,
            free_cell: 0,
            free_half: 0,
            cells_taken: 0,
            halves_free: 0,
        }
    }

    pub(super) fn set_cells_max(&mut self, cells_max: u32) {
        self.cells_max = cells_max;
    }

    #[inline]
    pub(super) fn at(&self, cell: u32) -> &Cell {
        self.chunks.at(cell)
    }

    #[inline]
    pub(super) fn at_mut(&mut self, cell: u32) -> &mut Cell {
        self.chunks.at_mut(cell)
    }

    /// Bytes of cells and halves that are neither free nor unused.
    pub(super) fn taken_bytes(&self) -> u64 {
        let halves = u64::from(self.cells_taken) * 2 - u64::from(self.halves_free);
        halves * (CELL_SIZE as u64 / 2)
    }

    pub(super) fn allocated_bytes(&self) -> u64 {
        self.chunks.size_bytes()
    }

    pub(super) fn take_cell(&mut self) -> Result<u32, ArenaFull> {
        if self.cells_taken >= self.cells_max {
            return Err(self.full());
        }
        self.cells_taken += 1;
        let free = self.free_cell;
        if free != 0 {
            self.free_cell = self.at(free).word(NEXT);
            return Ok(free);
        }
        let cell = self.unused;
        if cell >= self.chunks.cells_count() {
            self.chunks.grow();
        }
        self.unused += 1;
        Ok(cell)
    }

    fn full(&self) -> ArenaFull {
        ArenaFull {
            size_max_bytes: u64::from(self.cells_max) * CELL_SIZE as u64,
        }
    }

    /// Half of a cell, and which.
    pub(super) fn take_half(&mut self) -> Result<(u32, usize), ArenaFull> {
        if self.free_half == 0 {
            let cell = self.take_cell()?;
            self.link_half(cell, 1);
            return Ok((cell, 0));
        }
        let (cell, half) = unnumber(self.free_half);
        self.unlink_half(cell, half);
        Ok((cell, half))
    }

    fn link_half(&mut self, cell: u32, half: usize) {
        let after = self.free_half;
        FreeHalf::write(self.at_mut(cell), half, 0, after);
        self.set_before(after, number(cell, half));
        self.free_half = number(cell, half);
        self.halves_free += 1;
    }

    fn unlink_half(&mut self, cell: u32, half: usize) {
        let free = self.at(cell);
        assert!(FreeHalf::is(free, half), "a free half says that it is");
        let before = FreeHalf::before(free, half);
        let after = FreeHalf::after(free, half);
        if before == 0 {
            self.free_half = after;
        } else {
            let (cell, half) = unnumber(before);
            self.at_mut(cell)
                .set_word(half * 4 + FreeHalf::AFTER, after);
        }
        self.set_before(after, before);
        self.halves_free -= 1;
    }

    fn set_before(&mut self, free: u32, before: u32) {
        if free != 0 {
            let (cell, half) = unnumber(free);
            self.at_mut(cell)
                .set_word(half * 4 + FreeHalf::BEFORE, before);
        }
    }

    /// Gives back what nobody can see any more.
    pub(super) fn free(&mut self, block: Block) {
        let cell = block.cell();
        if let Some(half) = block.as_half() {
            if !FreeHalf::is(self.at(cell), 1 - half) {
                return self.link_half(cell, half);
            }
            self.unlink_half(cell, 1 - half);
        }
        let next = self.free_cell;
        self.at_mut(cell).set_word(NEXT, next);
        self.free_cell = cell;
        self.cells_taken -= 1;
    }

    /// All free blocks, and then how many cells were ever used.
    pub(super) fn free_blocks(&self) -> (Vec<Block>, u32) {
        let mut blocks = Vec::new();
        let mut cell = self.free_cell;
        while cell != 0 && blocks.len() <= self.unused as usize {
            blocks.push(Block::whole(cell));
            cell = self.at(cell).word(NEXT);
        }
        let mut free = self.free_half;
        while free != 0 && blocks.len() <= 3 * self.unused as usize {
            let (cell, half) = unnumber(free);
            blocks.push(Block::half(cell, half));
            free = FreeHalf::after(self.at(cell), half);
        }
        (blocks, self.unused)
    }
}

fn number(cell: u32, half: usize) -> u32 {
    cell << 1 | half as u32
}

fn unnumber(number: u32) -> (u32, usize) {
    (number >> 1, (number & 1) as usize)
}
