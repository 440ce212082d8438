//! Invariants of a walk's positions, held against each move.
//!
//! - It begins at the root, and goes one way.
//! - A step leads at most one level down, and otherwise beyond what was last visited at its depth.
//! - Below a return path there is nothing; the root is met again only on it, and then comes the end.
//! - A byte leads to every node; one beyond the last is only ever asked for.

use std::fmt;

use crate::trie::Position;

/// A move, as a broken promise tells of it.
struct Move<'a> {
    before: Position,
    passed: &'a [u8],
    to: Position,
}

impl fmt::Display for Move<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { before, passed, to } = self;
        write!(f, "from {before:?} past {passed:02x?} to {to:?}")
    }
}

/// Where a walk has been.
#[derive(Clone)]
pub(crate) struct Trail {
    position: Position,
    path: Vec<u8>,
}

impl Trail {
    pub(crate) fn begin(position: Position) -> Trail {
        let root = Position::root(position.direction());
        assert!(position == root, "a walk begins at {position:?}");
        Trail {
            position,
            path: Vec::new(),
        }
    }

    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Asserts that a walk which has not moved says so.
    pub(crate) fn stays(&self, position: Position) {
        assert!(
            position == self.position,
            "the walk was at {:?} and is at {position:?} without a move",
            self.position
        );
    }

    /// Asserts that there is somewhere to go from here.
    pub(crate) fn leaves(&self) {
        assert!(!self.position.is_exhausted(), "a move from the end");
    }

    /// Asserts that `target` may be asked for.
    pub(crate) fn aims(&self, target: Position) {
        self.leaves();
        assert!(
            self.position.can_skip_to(target),
            "a skip from {:?} to {target:?}",
            self.position
        );
        let depth = usize::try_from(target.depth()).unwrap_or(usize::MAX);
        assert!(
            depth >= self.path.len() || target > self.visited_at(depth),
            "a skip from {:?} back to {target:?}",
            self.position
        );
        assert!(
            target.direction() == self.position.direction(),
            "a skip to {target:?}, the other way"
        );
    }

    /// Takes in a move past the bytes `passed`.
    pub(crate) fn moves(&mut self, passed: &[u8], to: Position) {
        let before = self.position;
        let context = Move { before, passed, to };
        assert!(to.direction() == before.direction(), "it turned {context}");
        self.position = to;
        if to.is_exhausted() {
            assert!(passed.is_empty(), "bytes passed to the end {context}");
            let end = Position::exhausted(to.direction());
            assert!(to == end, "no exact end {context}");
            self.path.clear();
            return;
        }
        let depth = usize::try_from(to.depth()).expect("the walk is not over");
        assert!(
            depth == 0 || to.byte().is_some(),
            "no byte leads there {context}"
        );
        if !passed.is_empty() || depth > self.path.len() {
            assert!(!before.is_return(), "below a return path {context}");
            assert!(
                depth == self.path.len() + passed.len() + 1,
                "more than one level {context}"
            );
            self.path.extend_from_slice(passed);
        } else {
            let last = if depth == self.path.len() {
                before
            } else {
                self.visited_at(depth)
            };
            assert!(to > last, "not beyond {last:?} {context}");
        }
        self.path.truncate(depth.saturating_sub(1));
        self.path.extend(to.byte());
    }

    /// The node above the current one at `depth`.
    fn visited_at(&self, depth: usize) -> Position {
        let direction = self.position.direction();
        match depth.checked_sub(1) {
            Some(above) => Position::node(depth as u32, self.path[above], direction),
            None => Position::root(direction),
        }
    }

    /// Asserts that a skip has led to `target` or the first position after it.
    pub(crate) fn lands(&self, target: Position) {
        assert!(
            self.position >= target,
            "a skip to {target:?} led to {:?}, before it",
            self.position
        );
    }

    /// Asserts that a flag tells of what is held here.
    pub(crate) fn holds(&self, has_content: bool, position: Position) {
        assert!(
            !has_content || position.may_have_content(),
            "content at {position:?} without a flag"
        );
        assert!(!position.is_exhausted(), "content asked for at the end");
    }
}
