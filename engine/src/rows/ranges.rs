//! Invariants of a list of range tombstones: ascending, disjoint, none empty, and no two that touch
//! have the same deletion. So one set of covered positions has one list, however it was built.

use super::deletion::{DeletionTime, RangeTombstone};
use super::size;
use crate::keys::{Bound, Clustering, Slice};

/// The deletion in force at a row.
pub(super) fn covering(ranges: &[RangeTombstone], clustering: &Clustering) -> Option<DeletionTime> {
    let index = ranges.partition_point(|range| range.end.is_before(clustering));
    ranges
        .get(index)
        .filter(|range| range.covers(clustering))
        .map(|range| range.deletion)
}

/// Lays `new`, which is not empty, over the list: where both reach, the superseding deletion stays.
/// Returns the growth in bytes.
pub(super) fn insert(ranges: &mut Vec<RangeTombstone>, new: &RangeTombstone) -> i64 {
    assert!(new.start < new.end, "a range tombstone covers something");
    // All that overlap `new`, or touch it: those may join it.
    let from = ranges.partition_point(|range| range.end < new.start);
    let to = ranges.partition_point(|range| range.start <= new.end);
    let mut pieces = Vec::with_capacity(to - from + 2);
    let mut reached = &new.start;
    for old in &ranges[from..to] {
        let overlap_start = (&old.start).max(&new.start);
        let overlap_end = (&old.end).min(&new.end);
        push(
            &mut pieces,
            (&old.start, (&old.end).min(&new.start)),
            old.deletion,
        );
        push(&mut pieces, (reached, overlap_start), new.deletion);
        push(
            &mut pieces,
            (overlap_start, overlap_end),
            old.deletion.max(new.deletion),
        );
        reached = reached.max(overlap_end);
        if old.end > new.end {
            push(
                &mut pieces,
                ((&old.start).max(&new.end), &old.end),
                old.deletion,
            );
        }
    }
    push(&mut pieces, (reached, &new.end), new.deletion);
    let growth = size::growth(size::ranges(&ranges[from..to]), size::ranges(&pieces));
    ranges.splice(from..to, pieces);
    growth
}

/// Appends `start..end` unless it is empty, as a part of the last piece when that ends so.
fn push(pieces: &mut Vec<RangeTombstone>, (start, end): (&Bound, &Bound), deletion: DeletionTime) {
    if end <= start {
        return;
    }
    match pieces.last_mut() {
        Some(last) if last.end == *start && last.deletion == deletion => last.end = end.clone(),
        _ => pieces.push(RangeTombstone {
            start: start.clone(),
            end: end.clone(),
            deletion,
        }),
    }
}

/// The part of the list within a slice.
pub(super) fn clip(ranges: &[RangeTombstone], slice: &Slice) -> Vec<RangeTombstone> {
    if slice.is_empty() {
        return Vec::new();
    }
    let from = ranges.partition_point(|range| range.end <= slice.start);
    let to = ranges.partition_point(|range| range.start < slice.end);
    let clipped = |range: &RangeTombstone| RangeTombstone {
        start: (&range.start).max(&slice.start).clone(),
        end: (&range.end).min(&slice.end).clone(),
        deletion: range.deletion,
    };
    ranges[from..to].iter().map(clipped).collect()
}

/// True when the invariants hold and every deletion supersedes the partition's.
pub(super) fn are_canonical(ranges: &[RangeTombstone], active: Option<DeletionTime>) -> bool {
    let follows = |left: &RangeTombstone, right: &RangeTombstone| {
        left.end < right.start || left.end == right.start && left.deletion != right.deletion
    };
    ranges
        .iter()
        .all(|range| range.start < range.end && range.deletion.supersedes(active))
        && ranges.is_sorted_by(follows)
}
