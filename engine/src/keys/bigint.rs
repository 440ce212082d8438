//! Byte layout of `bigint` in keys: 1 to 9 bytes, shorter near zero.
//!
//! The first byte starts with as many ones as the whole has bytes; the magnitude fills the rest. A
//! number of 9 bytes is `FF` and 8 bytes with the top bit set, one of 8 bytes `FF` and 7 with it
//! clear. Negative numbers are the complement, inverted as a whole. Only the shortest form is valid.

use super::error::KeyError;
use super::input::Input;

const TOP_BIT: u64 = 1 << 63;
const SIZE_MAX: u32 = 9;

/// Bytes that a magnitude takes: one for each 7 bits, as the size bits take the eighth.
const fn size(magnitude: u64) -> u32 {
    let bits = u64::BITS - (magnitude | 1).leading_zeros();
    let size = bits / 7 + 1;
    if size > SIZE_MAX { SIZE_MAX } else { size }
}

pub(super) fn encode_into(value: i64, out: &mut Vec<u8>) {
    let mask = (value >> 63) as u8;
    let magnitude = (value ^ (value >> 63)).cast_unsigned();
    let size = size(magnitude);
    if size == SIZE_MAX {
        out.push(!mask);
        out.extend((magnitude ^ TOP_BIT).to_be_bytes().map(|byte| byte ^ mask));
        return;
    }
    let ones = !0_u64 << (8 * size - size);
    let bytes = (ones | magnitude).to_be_bytes();
    out.extend(bytes[8 - size as usize..].iter().map(|byte| byte ^ mask));
}

pub(super) fn decode(input: &mut Input<'_>) -> Result<i64, KeyError> {
    let first = input.next()?;
    let mask = if first & 0x80 == 0 { 0xFF } else { 0 };
    let sign = if mask == 0 { 0 } else { -1 };
    let ones = (first ^ mask).leading_ones();
    let extra = ones as usize - 1;
    let (read, inverted) = if ones == 8 {
        let second = input
            .peek()
            .ok_or_else(|| input.malformed("ends too early"))?;
        if (second ^ mask) & 0x80 == 0 {
            (8, 7)
        } else {
            (9, 8)
        }
    } else {
        (ones, extra)
    };
    let flip = if mask == 0 {
        0
    } else {
        !0_u64 >> (64 - 8 * inverted.max(1))
    };
    let rest = match inverted {
        0 => 0,
        size => input.big_endian(size)? ^ flip,
    };
    let magnitude = match read {
        SIZE_MAX => rest ^ TOP_BIT,
        8 => rest,
        _ => u64::from((first ^ mask) & (0xFF >> ones)) << (8 * inverted) | rest,
    };
    if size(magnitude) != read {
        return Err(input.malformed("a number not in its shortest form"));
    }
    Ok(magnitude.cast_signed() ^ sign)
}
