//! Byte layout of list ids, the paths of list elements: they ascend by write time, then by when the node made
//! them, and no two are the same.
//!
//! Write time in microseconds, 64 bits, big endian, the sign bit flipped; incarnation of the node, 32 bits, big
//! endian; number within the incarnation, 32 bits, big endian.

use std::cell::Cell;

const SIGN_BIT: u64 = 1 << 63;

/// Gives ids to list elements: one of these an incarnation of a node.
#[derive(Debug)]
pub struct ListIds {
    incarnation: u32,
    given_count: Cell<u32>,
}

impl ListIds {
    /// The ids of an incarnation; no other one of this node has its number.
    #[must_use]
    pub const fn new(incarnation: u32) -> ListIds {
        ListIds {
            incarnation,
            given_count: Cell::new(0),
        }
    }

    /// The next id, of an element written at `timestamp`. Ids repeat after 2^32 of one timestamp.
    #[must_use]
    pub fn next(&self, timestamp: i64) -> [u8; 16] {
        let number = self.given_count.get();
        self.given_count.set(number.wrapping_add(1));
        let low = u64::from(self.incarnation) << 32 | u64::from(number);
        let high = timestamp.cast_unsigned() ^ SIGN_BIT;
        (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
    }
}
