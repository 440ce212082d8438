//! Steps of two deletion-aware sources, of two types.

use super::super::cursor::{DeletionAware, StateOf};
use super::branch::Branch;
use super::sources::{Branches, Sources, branch_of, dead_until};
use crate::trie::merge::Merge;
use crate::trie::range::{Covered, Part, RangeCursor, RangeMerge};
use crate::trie::{Cursor, Direction, Position};

/// Two sources in step.
#[derive(Clone)]
pub struct TwoSources<A, B, F> {
    merge: Merge<A, B, F>,
}

impl<A: Cursor, B: Cursor, F> TwoSources<A, B, F> {
    pub(super) fn new(first: A, second: B, resolve: F) -> Self {
        TwoSources {
            merge: Merge::new(first, second, resolve),
        }
    }
}

impl<T, A, B, F> Cursor for TwoSources<A, B, F>
where
    A: Cursor<Content = T>,
    B: Cursor<Content = T>,
    F: Fn(T, T) -> T + Clone,
{
    type Content = T;

    fn position(&self) -> Position {
        self.merge.position()
    }

    fn content(&self) -> Option<T> {
        self.merge.content()
    }

    fn advance(&mut self) -> Position {
        self.merge.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.merge.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.merge.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        TwoSources {
            merge: self.merge.tail(direction),
        }
    }
}

impl<T, A, B, F> Sources for TwoSources<A, B, F>
where
    A: DeletionAware<Content = T>,
    B: DeletionAware<Content = T>,
    B::Deletions: RangeCursor<Covering = StateOf<A>>,
    F: Fn(T, T) -> T + Clone,
{
    type Deletions = RangeMerge<Branch<A>, Branch<B>>;

    fn is_single(&self) -> bool {
        let (first, second) = self.merge.here();
        first.is_none() || second.is_none()
    }

    fn own_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        match self.merge.here() {
            (Some(first), None) => {
                let own = first.deletion_branch(direction)?;
                Some(together(Some(Branch::Own(own)), None, direction))
            }
            (None, Some(second)) => {
                let own = second.deletion_branch(direction)?;
                Some(together(None, Some(Branch::Own(own)), direction))
            }
            _ => None,
        }
    }

    fn combined(&self, branches: Branches) -> Option<Self::Deletions> {
        let (Some(first), Some(second)) = self.merge.here() else {
            return None;
        };
        let direction = self.position().direction();
        let offers = first.deletion_branch(direction).is_some()
            || second.deletion_branch(direction).is_some();
        offers.then(|| {
            together(
                branch_of(first, branches, direction),
                branch_of(second, branches, direction),
                direction,
            )
        })
    }

    fn pass_over(&mut self, covering: StateOf<A>, end: Position) -> Position {
        let (first, second) = self.merge.here_mut();
        if let Some(source) = first
            && let Some(target) = dead_until(source, covering, end)
        {
            source.skip_to(target);
        }
        if let Some(source) = second
            && let Some(target) = dead_until(source, covering, end)
        {
            source.skip_to(target);
        }
        self.position()
    }
}

fn together<A, B>(
    first: Option<Branch<A>>,
    second: Option<Branch<B>>,
    direction: Direction,
) -> RangeMerge<Branch<A>, Branch<B>>
where
    A: DeletionAware,
    B: DeletionAware,
    B::Deletions: RangeCursor<Covering = StateOf<A>>,
{
    let nothing = Covered::new(None, direction);
    RangeMerge::of(
        first.map_or(Part::Covered(nothing), Part::Walk),
        second.map_or(Part::Covered(nothing), Part::Walk),
    )
}
