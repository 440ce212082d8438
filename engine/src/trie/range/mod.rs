//! Contents of `range`: tries of boundaries, each of which says what is in force on either side of it.

mod applied;
mod build;
mod covered;
mod cursor;
mod follow;
mod list;
mod marker;
mod merge;
mod prefixed;
mod within;

pub use applied::Applied;
pub use build::{Place, Range};
pub use covered::{Covered, Part};

pub use cursor::RangeCursor;
pub(crate) use follow::Follower;
pub use list::{RangeEntry, RangeList, RangeListCursor};
pub use marker::{Covering, Marker};
pub use merge::{RangeMerge, RangeMergeMany};
pub use within::RangeWithin;
