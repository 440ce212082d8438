//! Byte layout of a leaf: its tag in the top three bits and the size of its tail in the other five; then the
//! payload; then the tail, which is the end of the key.
//!
//! It lies in half a cell if it fits, else in a whole one. A free half has `FF` there, which is no leaf's: a
//! tail of 31 bytes fits no half.

use std::fmt::Debug;

use super::cell::{CELL_SIZE, Cell};

pub(super) const HALF_SIZE: usize = CELL_SIZE / 2;
pub(super) const FREE_HALF: u8 = 0xFF;

const HEADER_SIZE: usize = 1;
const TAIL_BITS: u32 = 5;
const TAIL_MASK: u8 = (1 << TAIL_BITS) - 1;
const TAGS_COUNT: u8 = 8;

/// Payload of a leaf at most.
pub(super) const PAYLOAD_SIZE_MAX: usize = 28;

/// What a key leads to.
pub trait Leaf: Copy + Eq + Debug {
    /// The form of the payload: less than 8.
    fn tag(self) -> u8;

    /// Bytes of a payload of this form: at most 28, and 12 to lie in half a cell with a tail of 3.
    fn size(tag: u8) -> usize;

    /// Writes the payload into as many bytes as its form has.
    fn store(self, payload: &mut [u8]);

    /// Reads a payload as it was stored.
    fn load(tag: u8, payload: &[u8]) -> Self;

    /// The greatest write time in it; `i64::MIN` when it has none.
    fn timestamp_max(self) -> i64;

    /// The least write time in it, or anything less. A deletion before that time leaves it alone.
    fn timestamp_min(self) -> i64 {
        i64::MIN
    }
}

/// Whether a payload and a tail of these sizes lie in half a cell.
pub(super) const fn fits_half(payload_size: usize, tail_size: usize) -> bool {
    HEADER_SIZE + payload_size + tail_size <= HALF_SIZE
}

/// Whether a payload and a tail of these sizes lie in one cell.
pub(super) const fn fits_cell(payload_size: usize, tail_size: usize) -> bool {
    HEADER_SIZE + payload_size + tail_size <= CELL_SIZE
}

/// The longest tail in half a cell, if the payload lies there at all.
pub(super) const fn half_tail_max(payload_size: usize) -> Option<usize> {
    (HALF_SIZE - HEADER_SIZE).checked_sub(payload_size)
}

/// The longest tail in a whole cell.
pub(super) const fn cell_tail_max(payload_size: usize) -> usize {
    CELL_SIZE - HEADER_SIZE - payload_size
}

/// A leaf as it lies in its cell.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a> {
    bytes: &'a [u8],
    tag: u8,
    payload_size: usize,
}

impl<'a> Stored<'a> {
    #[inline]
    pub(super) fn new<L: Leaf>(cell: &'a Cell, half: usize) -> Stored<'a> {
        let bytes = &cell.bytes()[half * HALF_SIZE..];
        let tag = bytes[0] >> TAIL_BITS;
        Stored {
            bytes,
            tag,
            payload_size: L::size(tag),
        }
    }

    #[inline]
    pub(super) fn tail(self) -> &'a [u8] {
        let start = HEADER_SIZE + self.payload_size;
        let size = usize::from(self.bytes[0] & TAIL_MASK);
        &self.bytes[start..start + size]
    }

    #[inline]
    pub(super) fn load<L: Leaf>(self) -> L {
        L::load(
            self.tag,
            &self.bytes[HEADER_SIZE..HEADER_SIZE + self.payload_size],
        )
    }

    pub(super) fn payload_size(self) -> usize {
        self.payload_size
    }

    /// Whether it takes half a cell only.
    pub(super) fn is_half(self) -> bool {
        fits_half(self.payload_size, self.tail().len())
    }
}

/// Writes a leaf to where it fits.
#[inline]
pub(super) fn write<L: Leaf>(bytes: &mut [u8], leaf: L, tail: &[u8]) {
    let tag = leaf.tag();
    let size = L::size(tag);
    assert!(
        tag < TAGS_COUNT && size <= PAYLOAD_SIZE_MAX,
        "tag {tag} has a payload of {size} bytes"
    );
    assert!(tail.len() <= usize::from(TAIL_MASK), "a tail is short");
    bytes[0] = tag << TAIL_BITS | tail.len() as u8;
    leaf.store(&mut bytes[HEADER_SIZE..HEADER_SIZE + size]);
    let start = HEADER_SIZE + size;
    bytes[start..start + tail.len()].copy_from_slice(tail);
}
