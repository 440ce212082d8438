//! Invariants of tries that keep deletions in branches of their own.
//!
//! - A branch of deletions hangs on a node of the data, and says what is deleted at that node and below it.
//! - On the way to any key there is at most one.
//! - Every range in it begins and ends within it.
//! - No data is held that the trie's own deletions delete.

use crate::trie::Cursor;
use crate::trie::Direction;
use crate::trie::range::RangeCursor;

/// What deletes.
pub type StateOf<C> = <<C as DeletionAware>::Deletions as RangeCursor>::Covering;

/// A walk over live data, which offers the deletions that hang on its nodes. It has no return path.
pub trait DeletionAware: Cursor {
    /// A walk over the deletions that hang on one node.
    type Deletions: RangeCursor;

    /// The deletions that hang on this node, whose root it is; `None` elsewhere, and below it.
    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions>;

    /// The least state that deletes all data at this node and below it; `None` when that is not known.
    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        None
    }

    /// The least state that deletes all data of this walk; `None` when that is not known.
    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        None
    }

    /// Whether there is data at this node and all of it is deleted by another source.
    fn is_shadowed(&self) -> bool {
        false
    }
}
