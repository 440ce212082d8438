//! Vocabulary of merged sources: walks in step, the deletions they offer together, and the data of theirs that
//! need not be walked.

use super::super::cursor::{DeletionAware, StateOf};
use super::super::deletions::DeletionsOnly;
use super::branch::Branch;
use crate::trie::range::RangeCursor;
use crate::trie::{Cursor, Direction, Position};

/// Where the branches of all sources hang.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branches {
    /// On the way to each key, all on the same node: a source that has none there has none below it.
    Fixed,
    /// Anywhere: where one source has a branch, those of the others are hoisted from below, which walks their
    /// data.
    Anywhere,
}

/// Walks in step, which show the merged data of those that are where the first of them is.
pub trait Sources: Cursor {
    /// What the sources delete together.
    type Deletions: RangeCursor;

    /// Whether only one is here.
    fn is_single(&self) -> bool;

    /// The branch of the only one that is here.
    fn own_branch(&self, direction: Direction) -> Option<Self::Deletions>;

    /// What those that are here delete together, if any of them has a branch here.
    fn combined(&self, branches: Branches) -> Option<Self::Deletions>;

    /// Moves on those that are here and all whose data up to `end` is deleted by `covering`, which is in force
    /// from here to there.
    fn pass_over(
        &mut self,
        covering: <Self::Deletions as RangeCursor>::Covering,
        end: Position,
    ) -> Position;
}

/// What one source deletes at its node, where another may have a branch.
pub(crate) fn branch_of<C: DeletionAware>(
    source: &C,
    branches: Branches,
    direction: Direction,
) -> Option<Branch<C>> {
    match (source.deletion_branch(direction), branches) {
        (Some(own), _) => Some(Branch::Own(own)),
        (None, Branches::Fixed) => None,
        (None, Branches::Anywhere) => {
            Some(Branch::Hoisted(DeletionsOnly::new(source.tail(direction))))
        }
    }
}

/// How far a source may skip over what `covering`, in force up to `end`, deletes of it.
pub(crate) fn dead_until<C: DeletionAware>(
    source: &C,
    covering: StateOf<C>,
    end: Position,
) -> Option<Position> {
    let is_dead = |state: Option<StateOf<C>>| state.is_some_and(|state| state <= covering);
    if is_dead(source.all_deleted_by()) {
        Some(end)
    } else if is_dead(source.branch_deleted_by()) {
        Some(end.min(source.position().beyond()))
    } else {
        None
    }
}
