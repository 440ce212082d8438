//! Byte layout of a split node: a head of four groups, each of eight rows, each of eight children; by two,
//! three and three bits of the byte that leads there.
//!
//! The head also has the greatest and least write time below, as bounds that removals do not tighten, and the
//! number of children in the low five bits of its first two pointers to groups.

use std::ops::Range;

use super::cell::Cell;
use super::node::Node;
use super::space::Space;

const MAX: usize = 0;
const MIN: usize = 1;
const GROUPS: usize = 4;
const BITS: u32 = 5;
const LOW: u32 = (1 << BITS) - 1;

/// The word of the head that has the group of `byte`.
#[inline]
pub(super) const fn group_word(byte: u8) -> usize {
    GROUPS + (byte >> 6) as usize
}

/// The word of the group that has the row of `byte`.
#[inline]
pub(super) const fn row_word(byte: u8) -> usize {
    (byte >> 3 & 7) as usize
}

/// The word of the row that has the child of `byte`.
#[inline]
pub(super) const fn child_word(byte: u8) -> usize {
    (byte & 7) as usize
}

/// The cell that a head's or group's word names, 0 for none.
#[inline]
pub(super) fn cell_at(cell: &Cell, word: usize) -> u32 {
    cell.word(word) >> BITS
}

/// The cell of the group of `byte`, 0 for none.
pub(super) fn group_of(head: &Cell, byte: u8) -> u32 {
    cell_at(head, group_word(byte))
}

/// Lets a head's or group's word name a cell.
#[inline]
pub(super) fn set_cell_at(cell: &mut Cell, word: usize, to: u32) {
    let low = cell.word(word) & LOW;
    cell.set_word(word, to << BITS | low);
}

/// How many children there are: 5 to 256.
pub(super) fn count(head: &Cell) -> usize {
    (head.word(GROUPS) & LOW | (head.word(GROUPS + 1) & LOW) << BITS) as usize
}

pub(super) fn set_count(head: &mut Cell, count: usize) {
    assert!(count <= 256, "a byte leads to one child");
    for (word, bits) in [(GROUPS, count as u32), (GROUPS + 1, count as u32 >> BITS)] {
        let high = head.word(word) & !LOW;
        head.set_word(word, high | bits & LOW);
    }
}

/// Bounds of the write times below: greatest and least.
pub(super) fn times(head: &Cell) -> (i64, i64) {
    (head.long(MAX), head.long(MIN))
}

pub(super) fn set_times(head: &mut Cell, (max, min): (i64, i64)) {
    head.set_long(MAX, max);
    head.set_long(MIN, min);
}

/// The cell of the row of `byte`, if there is one.
#[inline]
pub(super) fn row(space: &Space, head: &Cell, byte: u8) -> Option<u32> {
    let group = cell_at(head, group_word(byte));
    if group == 0 {
        return None;
    }
    let row = cell_at(space.at(group), row_word(byte));
    (row != 0).then_some(row)
}

/// What `byte` leads to.
#[inline]
pub(super) fn child(space: &Space, head: &Cell, byte: u8) -> Node {
    match row(space, head, byte) {
        Some(row) => Node(space.at(row).word(child_word(byte))),
        None => Node::NONE,
    }
}

/// The first or the last of these words that is not 0 but for its low bits. A scan that ends early costs less
/// than one of all words at once: it is mostly foreseen where it ends.
#[inline]
fn end_of<const FIRST: bool>(cell: &Cell, words: Range<usize>) -> Option<usize> {
    let is_filled = |&word: &usize| cell.word(word) > LOW;
    let mut words = words;
    if FIRST {
        words.find(is_filled)
    } else {
        words.rev().find(is_filled)
    }
}

/// Words beyond this one on the side that is sought.
#[inline]
const fn beyond<const AFTER: bool>(word: usize) -> Range<usize> {
    if AFTER { word + 1..8 } else { 0..word }
}

/// The first or last child of a row.
#[inline]
fn end_of_row<const FIRST: bool>(row: &Cell, words: Range<usize>, high: u8) -> Option<(u8, Node)> {
    let word = end_of::<FIRST>(row, words)?;
    Some((high | word as u8, Node(row.word(word))))
}

/// The first or last child of those rows of a group.
#[inline]
fn end_of_group<const FIRST: bool>(
    space: &Space,
    group: &Cell,
    words: Range<usize>,
    high: u8,
) -> Option<(u8, Node)> {
    let word = end_of::<FIRST>(group, words)?;
    let row = space.at(cell_at(group, word));
    end_of_row::<FIRST>(row, 0..8, high | (word as u8) << 3)
}

/// The first or last child of those groups of a head.
#[inline]
fn end_of_head<const FIRST: bool>(
    space: &Space,
    head: &Cell,
    words: Range<usize>,
) -> Option<(u8, Node)> {
    let word = end_of::<FIRST>(head, words.start.max(GROUPS)..words.end)?;
    let group = space.at(cell_at(head, word));
    end_of_group::<FIRST>(space, group, 0..8, ((word - GROUPS) as u8) << 6)
}

/// The first child, or the last.
#[inline]
pub(super) fn end<const FIRST: bool>(space: &Space, head: &Cell) -> Option<(u8, Node)> {
    end_of_head::<FIRST>(space, head, GROUPS..8)
}

/// The child of `byte`, and the next one after it or before it.
#[inline]
pub(super) fn child_and_beside<const AFTER: bool>(
    space: &Space,
    head: &Cell,
    byte: u8,
) -> (Node, Option<(u8, Node)>) {
    let mut child = Node::NONE;
    let mut beside = None;
    let group = cell_at(head, group_word(byte));
    if group != 0 {
        let group = space.at(group);
        let row = cell_at(group, row_word(byte));
        if row != 0 {
            let (row, word) = (space.at(row), child_word(byte));
            child = Node(row.word(word));
            beside = end_of_row::<AFTER>(row, beyond::<AFTER>(word), byte & !7);
        }
        if beside.is_none() {
            let words = beyond::<AFTER>(row_word(byte));
            beside = end_of_group::<AFTER>(space, group, words, byte & !63);
        }
    }
    if beside.is_none() {
        beside = end_of_head::<AFTER>(space, head, beyond::<AFTER>(group_word(byte)));
    }
    (child, beside)
}

/// The first child at `byte` or after it, or the last at `byte` or before it.
#[inline]
pub(super) fn from<const AFTER: bool>(space: &Space, head: &Cell, byte: u8) -> Option<(u8, Node)> {
    let (child, beside) = child_and_beside::<AFTER>(space, head, byte);
    if child.is_none() {
        beside
    } else {
        Some((byte, child))
    }
}

/// The cells below the head: each group, and then its rows.
pub(super) fn inner_cells(space: &Space, head: &Cell) -> impl Iterator<Item = u32> {
    let groups = (GROUPS..8).map(|word| cell_at(head, word));
    groups.filter(|&group| group != 0).flat_map(move |group| {
        let rows = (0..8).map(move |word| cell_at(space.at(group), word));
        [group].into_iter().chain(rows.filter(|&row| row != 0))
    })
}
