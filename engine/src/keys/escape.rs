//! Byte layout of `text` and `blob` in keys: their bytes, with runs of zeros escaped.
//!
//! A run of n zeros within the value becomes `00`, n-1 times `FE`, `FF`: one byte more, however long
//! it is. A run that ends the value becomes `00` and n times `FE`; a value that ends otherwise (or is
//! empty) gets one `00`. So a value ends at the first `00` that no `FE* FF` continues.

use super::error::KeyError;
use super::input::Input;

const ESCAPE: u8 = 0x00;
const ONE_MORE_ZERO: u8 = 0xFE;
const RUN_IS_OVER: u8 = 0xFF;

pub(super) fn encode_into(value: &[u8], out: &mut Vec<u8>) {
    let mut in_run = false;
    for &byte in value {
        match (byte, in_run) {
            (0, false) => out.push(ESCAPE),
            (0, true) => out.push(ONE_MORE_ZERO),
            (_, true) => out.extend([RUN_IS_OVER, byte]),
            (_, false) => out.push(byte),
        }
        in_run = byte == 0;
    }
    out.push(if in_run { ONE_MORE_ZERO } else { ESCAPE });
}

pub(super) fn decode(input: &mut Input<'_>) -> Result<Vec<u8>, KeyError> {
    let mut value = Vec::new();
    loop {
        let byte = input.next()?;
        if byte != ESCAPE {
            value.push(byte);
            continue;
        }
        let mut zeros = 0;
        while input.peek() == Some(ONE_MORE_ZERO) {
            input.advance();
            zeros += 1;
        }
        if input.peek() != Some(RUN_IS_OVER) {
            value.resize(value.len() + zeros, 0);
            return Ok(value);
        }
        input.advance();
        if input.peek() == Some(ESCAPE) {
            return Err(input.malformed("a run of zeros in two parts"));
        }
        value.resize(value.len() + zeros + 1, 0);
    }
}
