//! Contents of `deletion_aware`: tries of live data whose deletions hang on their nodes in branches of their own.

pub mod merge;
mod cursor;
mod deletions;
mod list;
mod live;
mod mixed;
mod newest;
mod prefixed;
mod rooted;
mod tail;
mod uncovered;
mod within;

pub use cursor::{DeletionAware, StateOf};
pub use deletions::DeletionsOnly;
pub use list::{DeletionAwareList, DeletionAwareListCursor, Node, NodesError};
pub use live::LiveOnly;
pub use mixed::{LiveAndDeletions, Mixed};
pub use prefixed::SeparatelyPrefixed;
pub use rooted::Rooted;
pub use tail::{DeepTail, applicable_deletion, tail_at};
pub use uncovered::Uncovered;
