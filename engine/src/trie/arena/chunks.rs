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
    chunks: Vec<Box<[Cell]>>,
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
        let (chunk, index) = place(cell);
        &self.chunks[chunk][index]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, cell: u32) -> &mut Cell {
        let (chunk, index) = place(cell);
        &mut self.chunks[chunk][index]
    }

    /// Adds the next chunk.
    pub(super) fn grow(&mut self) {
        let (chunk, index) = place(self.cells_count);
        assert!(
            chunk == self.chunks.len() && index == 0,
            "all chunks are full"
        );
        let cells = FIRST_CELLS << (chunk as u32).min(LAST_BITS - FIRST_BITS);
        self.chunks
            .push(vec![Cell::EMPTY; cells as usize].into_boxed_slice());
        self.cells_count += cells;
    }
}

/// The chunk of a cell, and its index there.
#[inline]
fn place(cell: u32) -> (usize, usize) {
    let shifted = cell.wrapping_add(FIRST_CELLS);
    if shifted >= LAST_CELLS {
        let chunk = (shifted >> LAST_BITS) + (LAST_BITS - FIRST_BITS - 1);
        return (chunk as usize, (shifted & (LAST_CELLS - 1)) as usize);
    }
    let bits = shifted.ilog2();
    (
        (bits - FIRST_BITS) as usize,
        (shifted ^ (1 << bits)) as usize,
    )
}
