//! Byte layout of a position in a walk: one signed number, so that of two cursors that walk in step the
//! smaller position is the earlier.
//!
//! ```text
//! 63           32  31  30      22  21  20  16  15        2  1  0
//!     - depth      D   transition  R     0       spare      B  C
//! ```
//!
//! `D` is set in a descending walk. The transition has nine bits, of which a descending walk inverts the low
//! eight: so one beyond the last byte exists either way, and to skip the branch at a position is to ask for the
//! next transition. `R`, the return path, is the second stop at a node, after its children. `B` and `C` say
//! that there may be a deletion branch or content here; clear is certain, set is not. Flags do not compare.
//!
//! Why depth and transition are enough: whoever always advances the cursor that is behind, or both when they
//! are equal, keeps all paths equal up to the shallower depth less one. So the deeper is still within the
//! branch that the other has left, and comes before it.

use std::cmp::Ordering;
use std::fmt;

use super::direction::Direction;

const DIRECTION_BIT: u32 = 1 << 31;
const TRANSITION_SHIFT: u32 = 22;
const RETURN_BIT: u32 = 1 << 21;
const FLAGS_MASK: i64 = 0xFFFF;
const HAS_CONTENT: i64 = 1;
const HAS_BRANCH: i64 = 2;

/// Where a cursor is. Compare only positions of cursors that walk in step, in one direction.
#[derive(Clone, Copy)]
pub struct Position(i64);

impl Position {
    /// Where every walk begins.
    #[must_use]
    pub const fn root(direction: Direction) -> Position {
        Position::at(0, 0, direction)
    }

    /// Where every walk ends: after all else.
    #[must_use]
    pub const fn exhausted(direction: Direction) -> Position {
        Position::at(-1, 0, direction)
    }

    /// The position of the node that `byte` leads to, `depth` bytes from the root.
    ///
    /// # Panics
    /// When the root is meant, to which no byte leads.
    #[must_use]
    pub const fn node(depth: u32, byte: u8, direction: Direction) -> Position {
        assert!(
            depth > 0 && depth <= i32::MAX as u32,
            "a byte leads to every node but the root"
        );
        let transition = if direction.is_reverse() {
            byte ^ 0xFF
        } else {
            byte
        };
        Position::at(depth as i32, transition as u32, direction)
    }

    const fn at(depth: i32, transition: u32, direction: Direction) -> Position {
        let direction = if direction.is_reverse() {
            DIRECTION_BIT
        } else {
            0
        };
        let low = direction | transition << TRANSITION_SHIFT;
        Position(-(depth as i64) << 32 | low as i64)
    }

    /// How many bytes led here; -1 at the end of the walk.
    #[must_use]
    pub const fn depth(self) -> i32 {
        -((self.0 >> 32) as i32)
    }

    /// The byte that led here; `None` at the root, at the end, and one beyond the last byte.
    #[must_use]
    pub const fn byte(self) -> Option<u8> {
        let transition = self.0 as u32 >> TRANSITION_SHIFT & 0x1FF;
        if transition > 0xFF || self.depth() <= 0 {
            return None;
        }
        let byte = transition as u8;
        Some(if self.direction().is_reverse() {
            byte ^ 0xFF
        } else {
            byte
        })
    }

    /// The order in which the walk takes children.
    #[must_use]
    pub const fn direction(self) -> Direction {
        if self.0 as u32 & DIRECTION_BIT == 0 {
            Direction::Forward
        } else {
            Direction::Reverse
        }
    }

    /// Whether the walk is over.
    #[must_use]
    pub const fn is_exhausted(self) -> bool {
        self.0 >> 32 > 0
    }

    /// Whether this is the second stop at a node, after its children.
    #[must_use]
    pub const fn is_return(self) -> bool {
        self.0 as u32 & RETURN_BIT != 0
    }

    /// The second stop at this node.
    #[must_use]
    pub const fn on_return(self) -> Position {
        Position(self.0 & !FLAGS_MASK | RETURN_BIT as i64)
    }

    /// The child that `byte` leads to.
    ///
    /// # Panics
    /// On the return path, where no children are left, and at the end.
    #[must_use]
    pub const fn child(self, byte: u8) -> Position {
        assert!(
            !self.is_return() && !self.is_exhausted(),
            "children are visited before the return"
        );
        Position::node(self.depth().cast_unsigned() + 1, byte, self.direction())
    }

    /// The first position beyond the branch of this node: what to skip to in order to leave it out.
    #[must_use]
    pub const fn beyond(self) -> Position {
        if self.depth() <= 0 {
            return Position::exhausted(self.direction());
        }
        let low = (self.0 & !FLAGS_MASK & !(RETURN_BIT as i64)) + (1 << TRANSITION_SHIFT);
        Position(low)
    }

    /// Without flags.
    #[must_use]
    pub const fn unflagged(self) -> Position {
        Position(self.0 & !FLAGS_MASK)
    }

    /// With the flag that there may be content here.
    #[must_use]
    pub const fn with_content(self) -> Position {
        Position(self.0 | HAS_CONTENT)
    }

    /// With the flag that there may be a deletion branch here.
    #[must_use]
    pub const fn with_branch(self) -> Position {
        Position(self.0 | HAS_BRANCH)
    }

    /// With the flags of both, which are at one position.
    #[must_use]
    pub const fn with_flags_of(self, other: Position) -> Position {
        Position(self.0 | other.0 & FLAGS_MASK)
    }

    /// False when there is surely no content here.
    #[must_use]
    pub const fn may_have_content(self) -> bool {
        self.0 & HAS_CONTENT != 0
    }

    /// False when there is surely no deletion branch here.
    #[must_use]
    pub const fn may_have_branch(self) -> bool {
        self.0 & HAS_BRANCH != 0
    }

    /// The same position of a branch that hangs on a node at `host`: its root is that node, whatever byte
    /// leads there, on the return path as before it.
    #[must_use]
    pub const fn hung_on(self, host: Position) -> Position {
        if self.is_exhausted() {
            return self;
        }
        if self.depth() == 0 {
            let returns = self.0 & (RETURN_BIT as i64 | FLAGS_MASK);
            return Position(host.unflagged().0 & !(RETURN_BIT as i64) | returns);
        }
        Position(self.0 - ((host.depth() as i64) << 32))
    }

    /// The inverse of [`hung_on`](Position::hung_on): where in a branch that hangs on `host` this position
    /// is. What lies beyond the branch is its end.
    #[must_use]
    pub fn taken_off(self, host: Position) -> Position {
        let direction = self.direction();
        if self.depth() > host.depth() {
            return Position(self.0 + (i64::from(host.depth()) << 32));
        }
        let flags = self.0 & FLAGS_MASK;
        if self == host.unflagged() {
            Position(Position::root(direction).0 | flags)
        } else if self == host.on_return() {
            Position(Position::root(direction).on_return().0 | flags)
        } else {
            Position::exhausted(direction)
        }
    }

    /// Whether one step from here can lead to `target`: it lies ahead, and at most one level below.
    #[must_use]
    pub fn can_skip_to(self, target: Position) -> bool {
        if self.is_exhausted() {
            return target.is_exhausted();
        }
        if target.depth() > self.depth() {
            return target.depth() == self.depth() + 1 && !self.is_return();
        }
        target > self
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Position {}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        self.unflagged().0.cmp(&other.unflagged().0)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exhausted() {
            return f.write_str("end");
        }
        let returns = if self.is_return() { "↑" } else { "" };
        let sign = if self.direction().is_reverse() {
            "-"
        } else {
            ""
        };
        match self.byte() {
            None if self.depth() == 0 => write!(f, "{sign}(0){returns}"),
            None => write!(f, "{sign}({}, beyond){returns}", self.depth()),
            Some(byte) => write!(f, "{sign}({}, {byte:02x}){returns}", self.depth()),
        }
    }
}
