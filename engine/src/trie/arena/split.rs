//! Byte layout of a split node: a head of four groups, each of eight rows, each of eight children; by two,
//! three and three bits of the byte that leads there.
//!
//! The head also has the greatest and least write time below, as bounds that removals do not tighten, and the
//! number of children in the low five bits of its first two pointers to groups.

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

#[inline]
pub(super) fn child(space: &Space, head: &Cell, byte: u8) -> Node {
    let group = cell_at(head, group_word(byte));
    if group == 0 {
        return Node::NONE;
    }
    let row = cell_at(space.at(group), row_word(byte));
    if row == 0 {
        return Node::NONE;
    }
    Node(space.at(row).word(child_word(byte)))
}

/// The first child at `byte` or after it.
pub(super) fn at_or_after(space: &Space, head: &Cell, byte: u8) -> Option<(u8, Node)> {
    let mut at = usize::from(byte);
    while at < 256 {
        let byte = at as u8;
        let group = cell_at(head, group_word(byte));
        if group == 0 {
            at = (at | 63) + 1;
            continue;
        }
        let row = cell_at(space.at(group), row_word(byte));
        if row == 0 {
            at = (at | 7) + 1;
            continue;
        }
        let row = space.at(row);
        let mut words = child_word(byte)..8;
        if let Some(word) = words.find(|&word| row.word(word) != 0) {
            return Some(((at & !7 | word) as u8, Node(row.word(word))));
        }
        at = (at | 7) + 1;
    }
    None
}

/// The last child at `byte` or before it.
pub(super) fn at_or_before(space: &Space, head: &Cell, byte: u8) -> Option<(u8, Node)> {
    let mut end = usize::from(byte) + 1;
    while end > 0 {
        let byte = (end - 1) as u8;
        let group = cell_at(head, group_word(byte));
        if group == 0 {
            end = (end - 1) & !63;
            continue;
        }
        let row = cell_at(space.at(group), row_word(byte));
        if row == 0 {
            end = (end - 1) & !7;
            continue;
        }
        let row = space.at(row);
        let mut words = (0..=child_word(byte)).rev();
        if let Some(word) = words.find(|&word| row.word(word) != 0) {
            return Some((byte & !7 | word as u8, Node(row.word(word))));
        }
        end = (end - 1) & !7;
    }
    None
}

/// The cells below the head: each group, and then its rows.
pub(super) fn inner_cells(space: &Space, head: &Cell) -> impl Iterator<Item = u32> {
    let groups = (GROUPS..8).map(|word| cell_at(head, word));
    groups.filter(|&group| group != 0).flat_map(move |group| {
        let rows = (0..8).map(move |word| cell_at(space.at(group), word));
        [group].into_iter().chain(rows.filter(|&row| row != 0))
    })
}
