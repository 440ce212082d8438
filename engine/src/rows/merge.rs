//! Invariants of merging what a row lists: of two versions of one place one stays, and the order is kept.

use std::cmp::Ordering;

use super::cell::{Cell, ColumnId};
use super::deletion::DeletionTime;
use super::path::CellKey;
use crate::planted::{self, Plant};

/// The complex deletion of a column in a list that ascends.
pub(super) fn complex_of(
    list: &[(ColumnId, DeletionTime)],
    column: ColumnId,
) -> Option<DeletionTime> {
    let index = list.binary_search_by_key(&column, |(id, _)| *id).ok()?;
    Some(list[index].1)
}

/// Merges a list of complex deletions into another.
pub(super) fn complex(
    mine: &mut Vec<(ColumnId, DeletionTime)>,
    theirs: Vec<(ColumnId, DeletionTime)>,
) {
    *mine = ascending(std::mem::take(mine), theirs, |mine, theirs| {
        (mine.0, mine.1.max(theirs.1))
    });
}

/// Merges a list of cells into another.
pub(super) fn cells(mine: &mut Vec<(CellKey, Cell)>, theirs: Vec<(CellKey, Cell)>) {
    *mine = ascending(std::mem::take(mine), theirs, |mine, theirs| {
        if wins(&mine.1, &theirs.1) {
            mine
        } else {
            theirs
        }
    });
}

/// Whether a cell stays when a version of it arrives.
fn wins(held: &Cell, arriving: &Cell) -> bool {
    if planted::on(Plant::P07) && held.timestamp == arriving.timestamp {
        return false;
    }
    held.precedence(arriving) != Ordering::Less
}

/// Merges two lists that ascend by their first element; `join` makes one of two with the same.
fn ascending<K: Ord, V>(
    left: Vec<(K, V)>,
    right: Vec<(K, V)>,
    join: impl Fn((K, V), (K, V)) -> (K, V),
) -> Vec<(K, V)> {
    if right.is_empty() {
        return left;
    }
    if left.is_empty() {
        return right;
    }
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return merged,
        };
        match order {
            Ordering::Less => merged.extend(left.next()),
            Ordering::Greater => merged.extend(right.next()),
            Ordering::Equal => {
                let pair = left.next().zip(right.next());
                merged.extend(pair.map(|(left, right)| join(left, right)));
            }
        }
    }
}
