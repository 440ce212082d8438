//! Contents of `range`: tries of boundaries, each of which says what is in force on either side of it.

mod build;
mod covered;
mod cursor;
mod list;
mod marker;
mod merge;
mod within;

pub use build::{Place, Range};
pub use covered::Covered;
pub(crate) use covered::Part;
pub use cursor::RangeCursor;
pub use list::{RangeEntry, RangeList, RangeListCursor};
pub use marker::{Covering, Marker};
pub use merge::{RangeMerge, RangeMergeMany};
pub use within::RangeWithin;
