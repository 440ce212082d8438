//! Vocabulary of walks: ascending or descending by the byte that leads to a child.

/// Which of a node's children comes first. A node comes before its children either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the lowest byte to the highest.
    Forward,
    /// From the highest byte to the lowest.
    Reverse,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Forward => Direction::Reverse,
            Direction::Reverse => Direction::Forward,
        }
    }

    /// True for [`Direction::Reverse`].
    #[must_use]
    pub const fn is_reverse(self) -> bool {
        matches!(self, Direction::Reverse)
    }
}
