//! Byte layout of a chain: up to 28 bytes that end at 1B, and then the child; it is entered at any of them.

use super::cell::Cell;
use super::node::Node;
use super::space::ArenaFull;
use super::undo::Store;

/// Bytes in a cell of a chain.
pub(super) const CHAIN_SIZE: usize = 28;

/// The word of the child.
pub(super) const CHILD: usize = 7;

/// The bytes from `offset` on.
#[inline]
pub(super) fn bytes(cell: &Cell, offset: usize) -> &[u8] {
    &cell.bytes()[offset..CHAIN_SIZE]
}

#[inline]
pub(super) fn child(cell: &Cell) -> Node {
    Node(cell.word(CHILD))
}

/// How many bytes two strings share from the first on.
#[inline]
pub(super) fn common_size(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}

/// So many bytes are compared one by one: a call would cost more.
const FEW: usize = 8;

/// What follows these bytes in a key that begins with them.
#[inline]
pub(super) fn after<'a>(key: &'a [u8], bytes: &[u8]) -> Option<&'a [u8]> {
    if bytes.len() > FEW {
        return key.strip_prefix(bytes);
    }
    let (first, rest) = key.split_at_checked(bytes.len())?;
    let is_same = first.iter().zip(bytes).all(|(one, other)| one == other);
    is_same.then_some(rest)
}

impl Store {
    /// New cells that lead along `bytes` to `child`.
    pub(super) fn make_chain(&mut self, bytes: &[u8], child: Node) -> Result<Node, ArenaFull> {
        let mut child = child;
        for part in bytes.rchunks(CHAIN_SIZE) {
            let offset = CHAIN_SIZE - part.len();
            let mut cell = Cell::EMPTY;
            cell.bytes_mut()[offset..CHAIN_SIZE].copy_from_slice(part);
            cell.set_word(CHILD, child.0);
            child = Node::chain(self.make_with(cell)?, offset);
        }
        Ok(child)
    }
}
