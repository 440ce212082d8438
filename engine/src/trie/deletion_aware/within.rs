//! Steps of a deletion-aware trie cut to a set: the data as any data; a branch that hangs where the set has a node
//! is cut to what the set has below it; one that hangs within the set is whole, since it ends within its node.

use super::cursor::{DeletionAware, StateOf};
use crate::trie::Cursor;
use crate::trie::Direction;
use crate::trie::range::{Part, RangeCursor, RangeWithin};
use crate::trie::set::{SetCursor, Within};

impl<C: DeletionAware, S: RangeCursor<Covering = ()>> DeletionAware for Within<C, S> {
    type Deletions = RangeWithin<C::Deletions, S>;

    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        if self.set_here().is_some_and(|set| !set.reaches_below()) {
            return None;
        }
        let branch = self.source().deletion_branch(direction)?;
        let set = self.set_tail(self.position(), direction);
        Some(RangeWithin::of(Part::Walk(branch), set))
    }

    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        self.source().branch_deleted_by()
    }

    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        self.source().all_deleted_by()
    }

    fn is_shadowed(&self) -> bool {
        self.source().is_shadowed()
    }
}
