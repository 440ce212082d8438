//! Byte layout of what rows and partitions share: flags, counts, times.

use crate::rows::cell::NO_DELETION_SECONDS;
use crate::rows::error::RowsError;
use crate::rows::wire::Input;

pub(super) const NOT_CANONICAL: &str = "not in canonical form";

pub(super) const fn flag(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}

pub(super) fn known_flags(input: &mut Input<'_>, known: u8) -> Result<u8, RowsError> {
    let flags = input.byte()?;
    if flags & !known == 0 {
        Ok(flags)
    } else {
        Err(input.malformed("unknown flags"))
    }
}

pub(super) fn positive_count(input: &mut Input<'_>) -> Result<usize, RowsError> {
    match input.count()? {
        0 => Err(input.malformed("a count of none")),
        count => Ok(count),
    }
}

pub(super) fn timestamp(input: &mut Input<'_>) -> Result<i64, RowsError> {
    match input.signed()? {
        i64::MIN => Err(input.malformed("the reserved timestamp")),
        timestamp => Ok(timestamp),
    }
}

pub(super) fn seconds(input: &mut Input<'_>) -> Result<u32, RowsError> {
    match input.varint_u32()? {
        NO_DELETION_SECONDS => Err(input.malformed("no deletion time")),
        seconds => Ok(seconds),
    }
}
