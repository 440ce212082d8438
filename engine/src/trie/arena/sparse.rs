//! Byte layout of a sparse node: six children and the bytes that lead to them, ascending; how many there are.

use super::cell::Cell;
use super::node::Node;

/// Children of a sparse node at most.
pub(super) const CHILDREN_MAX: usize = 6;

const BYTES: usize = 0x18;
const COUNT: usize = 0x1E;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

#[inline]
pub(super) fn count(cell: &Cell) -> usize {
    usize::from(cell.bytes()[COUNT])
}

#[inline]
pub(super) fn bytes(cell: &Cell) -> &[u8] {
    &cell.bytes()[BYTES..BYTES + count(cell).min(CHILDREN_MAX)]
}

#[inline]
pub(super) fn child(cell: &Cell, index: usize) -> Node {
    Node(cell.word(index))
}

/// The index of the child that `byte` leads to: all six bytes are compared at once.
#[inline]
pub(super) fn find(cell: &Cell, byte: u8) -> Option<usize> {
    let bytes = cell.long(3).cast_unsigned();
    let differ = bytes ^ (LOW * u64::from(byte));
    // The lowest of these bits is right, whatever the bits above it say.
    let equal = differ.wrapping_sub(LOW) & !differ & HIGH;
    let index = (equal.trailing_zeros() / 8) as usize;
    (index < count(cell)).then_some(index)
}

/// The first child that `byte` or a greater one leads to.
#[inline]
pub(super) fn at_or_after(cell: &Cell, byte: u8) -> usize {
    let bytes = bytes(cell).iter();
    bytes.take_while(|&&other| other < byte).count()
}

/// A node of these children, which are in order.
pub(super) fn with_children(children: &[(u8, Node)]) -> Cell {
    assert!(
        children.len() <= CHILDREN_MAX,
        "a sparse node has few children"
    );
    let mut cell = Cell::EMPTY;
    for (index, &(byte, child)) in children.iter().enumerate() {
        cell.set_word(index, child.0);
        cell.bytes_mut()[BYTES + index] = byte;
    }
    cell.bytes_mut()[COUNT] = children.len() as u8;
    cell
}

/// Adds a child to a node that has room for it and has none at `byte`.
pub(super) fn insert(cell: &mut Cell, byte: u8, child: Node) {
    let (index, count) = (at_or_after(cell, byte), count(cell));
    assert!(count < CHILDREN_MAX, "the node has room");
    let bytes = cell.bytes_mut();
    bytes.copy_within(index * 4..count * 4, (index + 1) * 4);
    bytes.copy_within(BYTES + index..BYTES + count, BYTES + index + 1);
    bytes[BYTES + index] = byte;
    bytes[COUNT] += 1;
    cell.set_word(index, child.0);
}

/// Takes a child out.
pub(super) fn remove(cell: &mut Cell, index: usize) {
    let count = count(cell);
    assert!(index < count, "the child is there");
    let bytes = cell.bytes_mut();
    bytes.copy_within((index + 1) * 4..count * 4, index * 4);
    bytes.copy_within(BYTES + index + 1..BYTES + count, BYTES + index);
    bytes[BYTES + count - 1] = 0;
    bytes[COUNT] -= 1;
    cell.set_word(count - 1, 0);
}
