//! Steps of any number of deletion-aware sources, of one type.

use super::super::cursor::{DeletionAware, StateOf};
use super::branch::Branch;
use super::sources::{Branches, Sources, branch_of, dead_until};
use crate::trie::merge::MergeMany;
use crate::trie::range::RangeMergeMany;
use crate::trie::{Cursor, Direction, Position};

/// Sources in step.
#[derive(Clone)]
pub struct ManySources<C, F> {
    merge: MergeMany<C, F>,
}

impl<C: Cursor, F> ManySources<C, F> {
    pub(super) fn new(sources: impl IntoIterator<Item = C>, resolve: F) -> Self {
        ManySources {
            merge: MergeMany::new(sources, resolve),
        }
    }
}

impl<C, F> Cursor for ManySources<C, F>
where
    C: Cursor,
    F: Fn(C::Content, C::Content) -> C::Content + Clone,
{
    type Content = C::Content;

    fn position(&self) -> Position {
        self.merge.position()
    }

    fn content(&self) -> Option<C::Content> {
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
        ManySources {
            merge: self.merge.tail(direction),
        }
    }
}

impl<C, F> Sources for ManySources<C, F>
where
    C: DeletionAware,
    F: Fn(C::Content, C::Content) -> C::Content + Clone,
{
    type Deletions = RangeMergeMany<Branch<C>>;

    fn is_single(&self) -> bool {
        self.merge.sources().is_single()
    }

    fn own_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        if !self.is_single() {
            return None;
        }
        let own = self.merge.sources().head().deletion_branch(direction)?;
        Some(RangeMergeMany::new([Branch::Own(own)]))
    }

    fn combined(&self, branches: Branches) -> Option<Self::Deletions> {
        let direction = self.position().direction();
        let (mut found, mut offers) = (Vec::new(), false);
        self.merge.sources().each_at(&mut |source| {
            let branch = branch_of(source, branches, direction);
            offers |= matches!(branch, Some(Branch::Own(_)));
            found.extend(branch);
        });
        offers.then(|| RangeMergeMany::new(found))
    }

    fn pass_over(&mut self, covering: StateOf<C>, end: Position) -> Position {
        self.merge.sources_mut().move_here(&mut |source| {
            if let Some(target) = dead_until(source, covering, end) {
                source.skip_to(target);
            }
        })
    }
}
