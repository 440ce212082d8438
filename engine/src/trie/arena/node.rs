//! Vocabulary of pointers: where a node is, and what form it has.

/// Bits of a pointer below the cell's number.
const KIND_BITS: u32 = 5;
const KIND_MASK: u32 = (1 << KIND_BITS) - 1;

const SPLIT: u32 = 0x1C;
const LEAF_LOW: u32 = 0x1D;
const SPARSE: u32 = 0x1E;
const LEAF_HIGH: u32 = 0x1F;

/// Cells that pointers can name.
pub(super) const CELLS_MAX: u32 = 1 << (32 - KIND_BITS);

/// A pointer to a node; cell 0 is never used, so that 0 is no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(pub(super) u32);

/// The form of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bytes that lead to one child, from this one of the cell on.
    Chain(usize),
    /// Two to six children in one cell.
    Sparse,
    /// Five children or more, in a tree of cells.
    Split,
    /// A leaf with the end of its key, in this half or, if it is long, from there on.
    Leaf(usize),
}

impl Node {
    pub(super) const NONE: Node = Node(0);

    pub(super) const fn chain(cell: u32, offset: usize) -> Node {
        assert!(offset < SPLIT as usize, "a chain begins within its bytes");
        Node(cell << KIND_BITS | offset as u32)
    }

    pub(super) const fn sparse(cell: u32) -> Node {
        Node(cell << KIND_BITS | SPARSE)
    }

    pub(super) const fn split(cell: u32) -> Node {
        Node(cell << KIND_BITS | SPLIT)
    }

    pub(super) const fn leaf(cell: u32, half: usize) -> Node {
        let kind = if half == 0 { LEAF_LOW } else { LEAF_HIGH };
        Node(cell << KIND_BITS | kind)
    }

    #[inline]
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn cell(self) -> u32 {
        self.0 >> KIND_BITS
    }

    #[inline]
    pub(super) const fn kind(self) -> Kind {
        match self.0 & KIND_MASK {
            SPLIT => Kind::Split,
            SPARSE => Kind::Sparse,
            LEAF_LOW => Kind::Leaf(0),
            LEAF_HIGH => Kind::Leaf(1),
            offset => Kind::Chain(offset as usize),
        }
    }

    /// The same form in another cell.
    pub(super) const fn moved_to(self, cell: u32) -> Node {
        Node(cell << KIND_BITS | self.0 & KIND_MASK)
    }
}

/// A trie in an arena. It stays the same only while no mutation is made from it, unless a guard is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(pub(super) Node);

impl Root {
    /// A trie without keys.
    pub const EMPTY: Root = Root(Node::NONE);

    /// Whether there is no key.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_none()
    }

    /// As a number, to be kept in a leaf of another trie.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0.0
    }

    /// The root whose number this is. Any other number names a node that is none.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Root {
        Root(Node(bits))
    }
}
