//! Steps of a prefixed walk: one node a byte of the prefix, none of which holds anything; then the branch, hung
//! on the last of them.

use crate::trie::{Cursor, Direction, Position};

/// A trie all of whose keys are preceded by a prefix.
#[derive(Clone)]
pub struct Prefixed<'a, C> {
    prefix: &'a [u8],
    /// How many bytes of the prefix are behind.
    depth: usize,
    /// At its root until the prefix is behind.
    branch: C,
    /// Where the walk is while it is within the prefix or at its end; the host of the branch then.
    host: Position,
    is_over: bool,
}

impl<'a, C: Cursor> Prefixed<'a, C> {
    /// `branch`, which is at its root, below `prefix`.
    ///
    /// # Panics
    /// When `branch` has left its root.
    pub fn new(prefix: &'a [u8], branch: C) -> Self {
        let root = Position::root(branch.position().direction());
        assert!(branch.position() == root, "the walk has begun");
        Prefixed {
            prefix,
            depth: 0,
            branch,
            host: root,
            is_over: false,
        }
    }

    /// The branch, once the prefix is behind.
    pub(crate) fn branch(&self) -> Option<&C> {
        (self.depth == self.prefix.len() && !self.is_over).then_some(&self.branch)
    }

    /// The branch, wherever the walk is.
    pub(crate) fn rest(&self) -> &C {
        &self.branch
    }

    fn end(&mut self) -> Position {
        self.is_over = true;
        self.position()
    }

    /// Goes on by the next byte of the prefix.
    fn descend(&mut self) -> Position {
        self.host = self.host.child(self.prefix[self.depth]);
        self.depth += 1;
        self.position()
    }
}

impl<C: Cursor> Cursor for Prefixed<'_, C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        if self.is_over {
            return Position::exhausted(self.host.direction());
        }
        match self.branch() {
            Some(branch) => branch.position().hung_on(self.host),
            None => self.host,
        }
    }

    fn content(&self) -> Option<C::Content> {
        self.branch().and_then(Cursor::content)
    }

    fn advance(&mut self) -> Position {
        assert!(!self.is_over, "the walk is over");
        if self.depth < self.prefix.len() {
            return self.descend();
        }
        if self.branch.advance().is_exhausted() {
            return self.end();
        }
        self.position()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        assert!(!self.is_over, "the walk is over");
        let left = self.prefix.len() - self.depth;
        if left == 0 {
            if self.branch.advance_multiple(passed).is_exhausted() {
                return self.end();
            }
            return self.position();
        }
        passed.extend_from_slice(&self.prefix[self.depth..self.prefix.len() - 1]);
        for _ in 0..left {
            self.descend();
        }
        self.position()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        assert!(
            self.position().can_skip_to(target),
            "{:?} cannot skip to {target:?}",
            self.position()
        );
        let begins = self.depth < self.prefix.len();
        if begins && target.depth() <= self.host.depth() {
            return self.end();
        }
        if begins {
            let node = self.host.child(self.prefix[self.depth]);
            if target <= node {
                return self.descend();
            }
            self.descend();
            if self.depth < self.prefix.len() {
                return self.end();
            }
        }
        if self
            .branch
            .skip_to(target.taken_off(self.host))
            .is_exhausted()
        {
            return self.end();
        }
        self.position()
    }

    fn tail(&self, direction: Direction) -> Self {
        assert!(
            !self.is_over && !self.position().is_return(),
            "a tail begins where a node is met on the way down"
        );
        Prefixed {
            prefix: &self.prefix[self.depth..],
            depth: 0,
            branch: self.branch.tail(direction),
            host: Position::root(direction),
            is_over: false,
        }
    }
}
