//! Invariants of an answer of stored deletions, whatever was written: all is in order, each once;
//! ranges do not overlap and are not empty, those that adjoin differ; and no deletion stands within
//! another that is as strong.

use std::collections::BTreeSet;

use super::edges;
use super::order::by_clustering;
use crate::history::{StoneEdge, StoneOf, StoneSeen, StonesSeen};
use crate::plan::{Column, Scalar, Shape};

/// Deletions by strength: the later write time, then the later second.
pub(super) fn strength(stone: StoneSeen) -> (i64, u32) {
    (stone.timestamp, stone.second)
}

/// The strongest deletion that covers what lies between the bounds: of the partition or of a range.
pub(super) fn enclosing(
    shape: &Shape,
    seen: &StonesSeen,
    inner: (&StoneEdge, &StoneEdge),
) -> Option<StoneSeen> {
    let ranges = seen.ranges.iter();
    let covering = ranges.filter(|(from, to, _)| edges::covers(shape, (from, to), inner));
    covering
        .map(|(_, _, stone)| *stone)
        .chain(seen.partition)
        .max_by_key(|stone| strength(*stone))
}

/// The strongest deletion that covers a row.
pub(super) fn over_row(shape: &Shape, seen: &StonesSeen, row: &[Scalar]) -> Option<StoneSeen> {
    let (from, to) = edges::around(row);
    let own = seen.rows.iter().find(|(at, _)| at == row);
    enclosing(shape, seen, (&from, &to))
        .into_iter()
        .chain(own.map(|(_, stone)| *stone))
        .max_by_key(|stone| strength(*stone))
}

/// What is wrong with the form of the answer.
pub(super) fn check(shape: &Shape, seen: &StonesSeen) -> Result<(), String> {
    check_ranges(shape, seen)?;
    check_rows(shape, seen)?;
    check_cells(shape, seen)
}

fn check_ranges(shape: &Shape, seen: &StonesSeen) -> Result<(), String> {
    for (from, to, stone) in &seen.ranges {
        if edges::compare(shape, from, to).is_ge() {
            return Err(format!("the range {from:?} to {to:?} is empty"));
        }
        let is_shadowed = |outer: StoneSeen| strength(*stone) <= strength(outer);
        if seen.partition.is_some_and(is_shadowed) {
            return Err(format!(
                "the range from {from:?} is no stronger than the partition's deletion"
            ));
        }
    }
    for pair in seen.ranges.windows(2) {
        let ((_, end, left), (begin, _, right)) = (&pair[0], &pair[1]);
        match edges::compare(shape, end, begin) {
            std::cmp::Ordering::Greater => {
                return Err(format!("the range from {begin:?} begins within another"));
            }
            std::cmp::Ordering::Equal if left == right => {
                return Err(format!("two ranges meet at {begin:?} that are one"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_rows(shape: &Shape, seen: &StonesSeen) -> Result<(), String> {
    let rows: Vec<&[Scalar]> = seen.rows.iter().map(|(row, _)| row.as_slice()).collect();
    if let Some(row) = out_of_order(shape, &rows, false) {
        return Err(format!("the deletion of row {row:?} is out of order"));
    }
    for (row, stone) in &seen.rows {
        let (from, to) = edges::around(row);
        let outer = enclosing(shape, seen, (&from, &to));
        if outer.is_some_and(|outer| strength(*stone) <= strength(outer)) {
            return Err(format!(
                "the deletion of row {row:?} is no stronger than one around it"
            ));
        }
    }
    Ok(())
}

/// A cell is dead when its write time is not later than that of a deletion around it, whatever the
/// seconds; a deletion of all elements is one around each of them.
fn check_cells(shape: &Shape, seen: &StonesSeen) -> Result<(), String> {
    let is_dead =
        |of: &StoneOf, stone: StoneSeen, outer: Option<StoneSeen>, all: Option<StoneSeen>| {
            let is_within = |outer: StoneSeen| match of {
                StoneOf::Elements(_) => strength(stone) <= strength(outer),
                StoneOf::Cell(_) | StoneOf::Element(..) => stone.timestamp <= outer.timestamp,
            };
            let is_emptied = |all: StoneSeen| {
                matches!(of, StoneOf::Element(..)) && stone.timestamp <= all.timestamp
            };
            outer.is_some_and(is_within) || all.is_some_and(is_emptied)
        };
    for (of, stone) in &seen.statics {
        let all = of_elements(seen, None, of.column());
        if is_dead(of, *stone, seen.partition, all) {
            return Err(format!(
                "the deletion of {of} is no later than one around it"
            ));
        }
    }
    for (row, of, stone) in &seen.cells {
        let all = of_elements(seen, Some(row), of.column());
        if is_dead(of, *stone, over_row(shape, seen, row), all) {
            return Err(format!(
                "the deletion of {of} in row {row:?} is no later than one around it"
            ));
        }
    }
    let rows: Vec<&[Scalar]> = seen.cells.iter().map(|(row, ..)| row.as_slice()).collect();
    if let Some(row) = out_of_order(shape, &rows, true) {
        return Err(format!(
            "a deletion of a cell of row {row:?} is out of order"
        ));
    }
    let cells: BTreeSet<_> = seen.cells.iter().map(|(row, of, _)| (row, of)).collect();
    let statics: BTreeSet<_> = seen.statics.iter().map(|(of, _)| of).collect();
    match cells.len() < seen.cells.len() || statics.len() < seen.statics.len() {
        true => Err("a cell has two deletions".to_owned()),
        false => Ok(()),
    }
}

/// The stored deletion of all elements of a column in a row, or in the static row.
pub(super) fn of_elements(
    seen: &StonesSeen,
    row: Option<&[Scalar]>,
    column: Column,
) -> Option<StoneSeen> {
    stone_of(seen, row, &StoneOf::Elements(column))
}

/// The stored deletion of this in a row, or in the static row.
pub(super) fn stone_of(
    seen: &StonesSeen,
    row: Option<&[Scalar]>,
    of: &StoneOf,
) -> Option<StoneSeen> {
    match row {
        None => {
            let mut own = seen.statics.iter().filter(|(own, _)| own == of);
            own.next().map(|(_, stone)| *stone)
        }
        Some(row) => {
            let cells = seen.cells.iter();
            let mut own = cells.filter(|(at, own, _)| at == row && own == of);
            own.next().map(|(.., stone)| *stone)
        }
    }
}

/// The first row that does not come after the one before it.
fn out_of_order<'a>(
    shape: &Shape,
    rows: &[&'a [Scalar]],
    may_repeat: bool,
) -> Option<&'a [Scalar]> {
    let wrong = rows.windows(2).find(|pair| {
        let ordering = by_clustering(shape, pair[0], pair[1]);
        ordering.is_gt() || (ordering.is_eq() && !may_repeat)
    });
    wrong.map(|pair| pair[1])
}
