//! Vocabulary of a source's deletions at a node: the branch that hangs there, or all that hang below it.

use super::super::cursor::DeletionAware;
use super::super::deletions::DeletionsOnly;
use crate::trie::range::{Marker, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// What a source deletes at a node and below it.
#[derive(Clone)]
pub enum Branch<C: DeletionAware> {
    /// The branch of the node.
    Own(C::Deletions),
    /// The branches of nodes below it, hoisted.
    Hoisted(DeletionsOnly<C>),
}

/// Does the same with either.
macro_rules! with_branch {
    ($branch:expr, $walk:ident => $do:expr) => {
        match $branch {
            Branch::Own($walk) => $do,
            Branch::Hoisted($walk) => $do,
        }
    };
}

impl<C: DeletionAware> Cursor for Branch<C> {
    type Content = Marker<<C::Deletions as RangeCursor>::Covering>;

    fn position(&self) -> Position {
        with_branch!(self, walk => walk.position())
    }

    fn content(&self) -> Option<Self::Content> {
        with_branch!(self, walk => walk.content())
    }

    fn advance(&mut self) -> Position {
        with_branch!(self, walk => walk.advance())
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        with_branch!(self, walk => walk.advance_multiple(passed))
    }

    fn skip_to(&mut self, target: Position) -> Position {
        with_branch!(self, walk => walk.skip_to(target))
    }

    fn tail(&self, direction: Direction) -> Self {
        match self {
            Branch::Own(walk) => Branch::Own(walk.tail(direction)),
            Branch::Hoisted(walk) => Branch::Hoisted(walk.tail(direction)),
        }
    }
}

impl<C: DeletionAware> RangeCursor for Branch<C> {
    type Covering = <C::Deletions as RangeCursor>::Covering;

    fn preceding(&self) -> Option<Self::Covering> {
        with_branch!(self, walk => walk.preceding())
    }
}
