//! Invariants of chunks: a cell never moves; the first chunks double, from a few cells on, so that a small
//! trie takes little, and the others are of one size.

use super::cell::{CELL_SIZE, Cell};

const FIRST_BITS: u32 = 3;
const LAST_BITS: u32 = 15;
const FIRST_CELLS: u32 = 1 << FIRST_BITS;
const LAST_CELLS: u32 = 1 << LAST_BITS;

/// Cells by their numbers.
#[derive(Default)]
pub(super) struct Chunks {
    near: Vec<Box<[Cell]>>,
    far: Vec<Box<[Cell; LAST_CELLS as usize]>>,
    cells_count: u32,
}

impl Chunks {
    /// How many cells there are.
    pub(super) fn cells_count(&self) -> u32 {
        self.cells_count
    }

    /// Memory of all cells.
    pub(super) fn size_bytes(&self) -> u64 {
        u64::from(self.cells_count) * CELL_SIZE as u64
    }

    #[inline]
    pub(super) fn at(&self, cell: u32) -> &Cell {
        let shifted = cell.wrapping_add(FIRST_CELLS);
        if shifted >= LAST_CELLS {
            let (chunk, index) = far(shifted);
            return &self.far[chunk][index];
        }
        let (chunk, index) = near(shifted);
        &self.near[chunk][index]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, cell: u32) -> &mut Cell {
        let shifted = cell.wrapping_add(FIRST_CELLS);
        if shifted >= LAST_CELLS {
            let (chunk, index) = far(shifted);
            return &mut self.far[chunk][index];
        }
        let (chunk, index) = near(shifted);
        &mut self.near[chunk][index]
    }

    /// Adds the next chunk.
    pub(super) fn grow(&mut self) {
        let chunk_cells = (self.cells_count + FIRST_CELLS).min(LAST_CELLS);
        let chunk = vec![Cell::EMPTY; chunk_cells as usize].into_boxed_slice();
        match chunk.try_into() {
            Ok(chunk) => self.far.push(chunk),
            Err(chunk) => self.near.push(chunk),
        }
        self.cells_count += chunk_cells;
    }
}

/// The chunk of a cell beyond those that double, and its index there. The number is of a cell, and as many
/// more as the first chunk has: so each chunk begins at a power of two.
#[inline]
fn far(shifted: u32) -> (usize, usize) {
    let chunk = (shifted >> LAST_BITS) - 1;
    (chunk as usize, (shifted & (LAST_CELLS - 1)) as usize)
}

/// The same for a cell in one of those that double.
#[inline]
fn near(shifted: u32) -> (usize, usize) {
    let bits = shifted.ilog2();
    (
        (bits - FIRST_BITS) as usize,
        (shifted ^ (1 << bits)) as usize,
    )
}
