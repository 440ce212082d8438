//! Byte layout of a cell: 32 bytes, aligned so that none lies across two cache lines; words are little-endian.
//!
//! ```text
//! chain    00 ..          1B | 1C        up to 28 bytes that lead down, the last at 1B; the child
//! sparse   00 .. 17 | 18 .. 1D | 1E      2 to 6 children; their bytes, ascending; how many there are
//! split    00 | 08 | 10 .. 1F            greatest and least time below; four groups of 64 bytes
//!  group   00 .. 1F                      eight rows of 8 bytes
//!  row     00 .. 1F                      the children of eight bytes
//! leaf     00 | 01 .. | ..               tag and size of the tail; payload; tail: half a cell or a whole one
//! ```
//!
//! A pointer is a cell's number and five bits that say what is there: up to 1B a chain that begins at that
//! byte, so that a chain may be entered anywhere; else one of the four other forms. The groups of a split need
//! no such bits: there, the first two pointers of the head keep the number of children, five bits each.

/// Size of a cell.
pub(super) const CELL_SIZE: usize = 32;

/// One cell, whatever it holds.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Cell([u8; CELL_SIZE]);

impl Cell {
    pub(super) const EMPTY: Cell = Cell([0; CELL_SIZE]);

    #[inline]
    pub(super) fn bytes(&self) -> &[u8; CELL_SIZE] {
        &self.0
    }

    #[inline]
    pub(super) fn bytes_mut(&mut self) -> &mut [u8; CELL_SIZE] {
        &mut self.0
    }

    /// One of the eight words.
    #[inline]
    pub(super) fn word(&self, index: usize) -> u32 {
        u32::from_le_bytes(self.0.as_chunks::<4>().0[index])
    }

    #[inline]
    pub(super) fn set_word(&mut self, index: usize, word: u32) {
        self.0.as_chunks_mut::<4>().0[index] = word.to_le_bytes();
    }

    /// One of the four double words, signed.
    #[inline]
    pub(super) fn long(&self, index: usize) -> i64 {
        i64::from_le_bytes(self.0.as_chunks::<8>().0[index])
    }

    #[inline]
    pub(super) fn set_long(&mut self, index: usize, long: i64) {
        self.0.as_chunks_mut::<8>().0[index] = long.to_le_bytes();
    }

    /// One of the two halves.
    #[inline]
    pub(super) fn half(&self, half: usize) -> &[u8; CELL_SIZE / 2] {
        &self.0.as_chunks::<{ CELL_SIZE / 2 }>().0[half]
    }

    #[inline]
    pub(super) fn half_mut(&mut self, half: usize) -> &mut [u8; CELL_SIZE / 2] {
        &mut self.0.as_chunks_mut::<{ CELL_SIZE / 2 }>().0[half]
    }
}
