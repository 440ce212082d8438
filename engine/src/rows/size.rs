//! Invariants of size: a fixed reckoning of content, so that thresholds mean the same on every machine.

use super::deletion::{DeletionTime, RangeTombstone};
use super::row::Row;
use crate::keys::Clustering;

/// Timestamp, ttl and expiry.
const LIVENESS: u64 = 16;
/// Timestamp and local deletion time.
const DELETION: u64 = 12;
/// Column, timestamp, ttl and expiry of a cell; its value and path come on top.
const CELL: u64 = 20;
/// Column and times of a complex deletion.
const COMPLEX: u64 = 4 + DELETION;
/// What a row takes in the order of its partition; its clustering comes on top.
const ENTRY: u64 = 16;

pub(super) fn deletion(deletion: Option<DeletionTime>) -> u64 {
    if deletion.is_some() { DELETION } else { 0 }
}

pub(super) fn row(row: &Row) -> u64 {
    let cells = row.cells.iter().map(|(key, cell)| {
        let path = key.path.as_ref().map_or(0, |path| path.as_bytes().len());
        CELL + (path + cell.value.len()) as u64
    });
    let liveness = if row.liveness.is_some() { LIVENESS } else { 0 };
    let complex = COMPLEX * row.complex.len() as u64;
    liveness + deletion(row.deletion) + complex + cells.sum::<u64>()
}

pub(super) fn keyed_row(clustering: &Clustering, content: &Row) -> u64 {
    ENTRY + clustering.0.len() as u64 + row(content)
}

pub(super) fn ranges(ranges: &[RangeTombstone]) -> u64 {
    let size = |range: &RangeTombstone| {
        ENTRY + DELETION + range.start.0.len() as u64 + range.end.0.len() as u64
    };
    ranges.iter().map(size).sum()
}

/// By how much something grew; negative when it shrank.
pub(super) fn growth(before: u64, after: u64) -> i64 {
    after.cast_signed() - before.cast_signed()
}
