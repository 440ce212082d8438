//! Byte layout of numbers and byte strings within rows; reading is bounded and never panics.
//!
//! A number is 7 bits a byte, the least first, the top bit set on all bytes but the last; only the
//! shortest form is valid. A signed number is `(n << 1) ^ (n >> 63)`, then that. A byte string is its
//! size and its bytes.

use bytes::Bytes;

use super::error::RowsError;

const CONTINUES: u8 = 0x80;

/// Appends a number.
pub fn put_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= u64::from(CONTINUES) {
        out.push(number as u8 | CONTINUES);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a signed number.
pub fn put_signed(number: i64, out: &mut Vec<u8>) {
    put_varint((number << 1 ^ number >> 63).cast_unsigned(), out);
}

/// Appends a byte string.
pub fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Reads from the front of bytes that may be damaged.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Input<'a> {
    /// Reads `bytes` from the front.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Input<'a> {
        Input { bytes, offset: 0 }
    }

    /// How many bytes were read.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// The error that something is wrong here.
    #[must_use]
    pub const fn malformed(&self, cause: &'static str) -> RowsError {
        RowsError::Malformed {
            offset: self.offset,
            cause,
        }
    }

    /// The next `size` bytes.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when fewer are left.
    pub fn take(&mut self, size: usize) -> Result<&'a [u8], RowsError> {
        let rest = &self.bytes[self.offset..];
        let taken = rest
            .get(..size)
            .ok_or_else(|| self.malformed("ends too early"))?;
        self.offset += size;
        Ok(taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] at the end.
    pub fn byte(&mut self) -> Result<u8, RowsError> {
        Ok(self.take(1)?[0])
    }

    /// The next number.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when cut off, longer than needed, or above 64 bits.
    pub fn varint(&mut self) -> Result<u64, RowsError> {
        let mut number = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & !CONTINUES);
            if bits << shift >> shift != bits {
                return Err(self.malformed("a number above 64 bits"));
            }
            number |= bits << shift;
            if byte & CONTINUES == 0 {
                if byte == 0 && shift > 0 {
                    return Err(self.malformed("a number longer than needed"));
                }
                return Ok(number);
            }
        }
        Err(self.malformed("a number above 64 bits"))
    }

    /// The next number, of at most 32 bits.
    ///
    /// # Errors
    /// As [`varint`](Self::varint), or above 32 bits.
    pub fn varint_u32(&mut self) -> Result<u32, RowsError> {
        u32::try_from(self.varint()?).map_err(|_| self.malformed("a number above 32 bits"))
    }

    /// The next signed number.
    ///
    /// # Errors
    /// As [`varint`](Self::varint).
    pub fn signed(&mut self) -> Result<i64, RowsError> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// The next byte string, copied: what is read outlives the buffer it came in.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when cut off.
    pub fn sized_bytes(&mut self) -> Result<Bytes, RowsError> {
        Ok(Bytes::copy_from_slice(self.sized()?))
    }

    /// The next byte string, where it stands.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when cut off.
    pub fn sized(&mut self) -> Result<&'a [u8], RowsError> {
        let size = self.varint()?;
        let size = usize::try_from(size).map_err(|_| self.malformed("ends too early"))?;
        self.take(size)
    }

    /// A count of things that take at least one byte each, so that no count can ask for more memory
    /// than there are bytes.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when more are announced than can follow.
    pub fn count(&mut self) -> Result<usize, RowsError> {
        let count = self.varint()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() => Ok(count),
            _ => Err(self.malformed("more is announced than follows")),
        }
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when bytes are left.
    pub const fn finish(&self) -> Result<(), RowsError> {
        if self.remaining() == 0 {
            Ok(())
        } else {
            Err(self.malformed("bytes left over"))
        }
    }
}
