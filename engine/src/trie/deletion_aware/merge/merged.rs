//! Steps of a merge that keeps live data and deletions apart:
//!
//! 1. The data of all sources is walked in step.
//! 2. Where several stand at one node and one of them has a branch, what they delete together hangs on that node,
//!    and follows the data below it. Only there can one source's deletions matter to another's data: where a
//!    source is alone, the others have nothing below.
//! 3. What follows takes from the data, and a source all of whose data is deleted is passed over.
//! 4. At the node it hangs on it is offered as the branch; below, none is.
//!
//! Everything is done in moves: what is asked, and how often, changes nothing.

use super::super::cursor::{DeletionAware, StateOf};
use super::many::ManySources;
use super::sources::{Branches, Sources};
use super::two::TwoSources;
use crate::trie::range::{Follower, Part, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// Sources as one deletion-aware trie.
#[derive(Clone)]
pub struct Merged<M: Sources, D> {
    sources: M,
    delete: D,
    branches: Branches,
    deletions: Option<Following<M::Deletions>>,
}

/// Two tries as one.
pub type DeletionAwareMerge<A, B, F, D> = Merged<TwoSources<A, B, F>, D>;

/// Any number of tries as one, one at least.
pub type DeletionAwareMergeMany<C, F, D> = Merged<ManySources<C, F>, D>;

/// What the sources delete together.
#[derive(Clone)]
struct Following<R: RangeCursor> {
    ranges: Follower<R>,
    /// Whether it is offered at its host; not in a tail below that.
    is_offered: bool,
}

impl<T, A, B, F, D> Merged<TwoSources<A, B, F>, D>
where
    A: DeletionAware<Content = T>,
    B: DeletionAware<Content = T>,
    B::Deletions: RangeCursor<Covering = StateOf<A>>,
    F: Fn(T, T) -> T + Clone,
    D: Fn(StateOf<A>, T) -> Option<T> + Clone,
{
    /// Of two walks at their roots. `resolve` merges data of both; `delete` says what a state leaves of data.
    pub fn of_two(first: A, second: B, branches: Branches, resolve: F, delete: D) -> Self {
        Merged::new(TwoSources::new(first, second, resolve), branches, delete)
    }
}

impl<C, F, D> Merged<ManySources<C, F>, D>
where
    C: DeletionAware,
    F: Fn(C::Content, C::Content) -> C::Content + Clone,
    D: Fn(StateOf<C>, C::Content) -> Option<C::Content> + Clone,
{
    /// Of walks at their roots. `resolve` merges data of two; `delete` says what a state leaves of data.
    ///
    /// # Panics
    /// When there are none.
    pub fn of_many(
        sources: impl IntoIterator<Item = C>,
        branches: Branches,
        resolve: F,
        delete: D,
    ) -> Self {
        Merged::new(ManySources::new(sources, resolve), branches, delete)
    }
}

impl<M, D> Merged<M, D>
where
    M: Sources,
    D: Fn(<M::Deletions as RangeCursor>::Covering, M::Content) -> Option<M::Content> + Clone,
{
    fn new(sources: M, branches: Branches, delete: D) -> Self {
        let mut merged = Merged {
            sources,
            delete,
            branches,
            deletions: None,
        };
        merged.meet();
        merged
    }

    /// Hangs what the sources delete together on the node where they are.
    fn meet(&mut self) {
        let position = self.sources.position();
        let may_meet = self.deletions.is_none() && position.may_have_branch();
        if may_meet && !self.sources.is_single() {
            let combined = self.sources.combined(self.branches);
            self.deletions = combined.map(|ranges| Following {
                ranges: Follower::new(Part::Walk(ranges), position),
                is_offered: true,
            });
        }
    }

    /// Has the deletions follow the data from `before`, and passes over what they delete whole.
    fn settle(&mut self, mut before: Position) -> Position {
        loop {
            let position = self.sources.position();
            if let Some(following) = &mut self.deletions {
                if following.ranges.is_left(position) {
                    self.deletions = None;
                    continue;
                }
                following.ranges.follow(before, position);
                if let Some(covering) = following.ranges.covering()
                    && !following.ranges.is_at(position)
                {
                    let end = following.ranges.position();
                    if self.sources.pass_over(covering, end) != position {
                        before = position;
                        continue;
                    }
                }
            }
            if !position.is_exhausted() {
                self.meet();
            }
            return self.sources.position();
        }
    }

    fn is_single_step(&self) -> bool {
        let position = self.sources.position();
        let following = self.deletions.as_ref();
        following.is_some_and(|following| following.ranges.is_at(position))
    }
}

impl<M, D> Cursor for Merged<M, D>
where
    M: Sources,
    D: Fn(<M::Deletions as RangeCursor>::Covering, M::Content) -> Option<M::Content> + Clone,
{
    type Content = M::Content;

    fn position(&self) -> Position {
        self.sources.position()
    }

    fn content(&self) -> Option<M::Content> {
        let content = self.sources.content()?;
        let position = self.sources.position();
        let following = self.deletions.as_ref();
        match following.and_then(|following| following.ranges.applicable(position)) {
            Some(state) => (self.delete)(state, content),
            None => Some(content),
        }
    }

    fn advance(&mut self) -> Position {
        let before = self.sources.position();
        self.sources.advance();
        self.settle(before)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        if self.is_single_step() {
            return self.advance();
        }
        let before = self.sources.position();
        let size = passed.len();
        let reached = self.sources.advance_multiple(passed);
        let position = self.settle(before);
        if position != reached {
            // The branch that it went down was passed over: the bytes lead nowhere.
            let above = usize::try_from(before.depth()).unwrap_or(0);
            let depth = usize::try_from(position.depth()).unwrap_or(0);
            passed.truncate(size + depth.saturating_sub(1).saturating_sub(above));
        }
        position
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let before = self.sources.position();
        self.sources.skip_to(target);
        self.settle(before)
    }

    fn tail(&self, direction: Direction) -> Self {
        let position = self.sources.position();
        let sources = self.sources.tail(direction);
        let below = self
            .deletions
            .as_ref()
            .filter(|following| !following.is_offered || following.ranges.host() != position);
        let Some(following) = below else {
            return Merged::new(sources, self.branches, self.delete.clone());
        };
        let root = Position::root(direction);
        Merged {
            sources,
            delete: self.delete.clone(),
            branches: self.branches,
            deletions: Some(Following {
                ranges: Follower::new(following.ranges.tail(position, direction), root),
                is_offered: false,
            }),
        }
    }
}

impl<M, D> DeletionAware for Merged<M, D>
where
    M: Sources,
    D: Fn(<M::Deletions as RangeCursor>::Covering, M::Content) -> Option<M::Content> + Clone,
{
    type Deletions = M::Deletions;

    fn deletion_branch(&self, direction: Direction) -> Option<M::Deletions> {
        match &self.deletions {
            Some(following) => {
                let is_here = following.ranges.host() == self.sources.position();
                let branch = following.ranges.branch_at_root(direction);
                branch.filter(|_| following.is_offered && is_here)
            }
            None => self.sources.own_branch(direction),
        }
    }

    fn is_shadowed(&self) -> bool {
        self.content().is_none() && self.sources.content().is_some()
    }
}
