//! Invariants of reading key bytes: bounded, never beyond the end, and every error has its offset.

use super::error::KeyError;

/// Reads bytes from the front, each xored with a mask (`FF` within a descending component).
#[derive(Debug)]
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    offset: usize,
    mask: u8,
}

impl<'a> Input<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Input<'a> {
        Input {
            bytes,
            offset: 0,
            mask: 0,
        }
    }

    pub(super) const fn set_mask(&mut self, mask: u8) {
        self.mask = mask;
    }

    pub(super) const fn malformed(&self, cause: &'static str) -> KeyError {
        KeyError::Malformed {
            offset: self.offset,
            cause,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.offset).map(|byte| byte ^ self.mask)
    }

    pub(super) const fn advance(&mut self) {
        self.offset += 1;
    }

    pub(super) fn next(&mut self) -> Result<u8, KeyError> {
        let byte = self
            .peek()
            .ok_or_else(|| self.malformed("ends too early"))?;
        self.offset += 1;
        Ok(byte)
    }

    /// The next `size` bytes as a big-endian number; `size <= 8`.
    pub(super) fn big_endian(&mut self, size: usize) -> Result<u64, KeyError> {
        assert!(size <= 8, "a 64-bit number has at most 8 bytes");
        let mut number = 0;
        for _ in 0..size {
            number = number << 8 | u64::from(self.next()?);
        }
        Ok(number)
    }

    pub(super) const fn finish(&self) -> Result<(), KeyError> {
        if self.offset == self.bytes.len() {
            Ok(())
        } else {
            Err(self.malformed("bytes left over"))
        }
    }
}
