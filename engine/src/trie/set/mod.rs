//! Contents of `set`: sets of keys as ranges that are in force or not, their algebra, and data cut to them.
//!
//! A set is a range trie whose ranges say nothing but that they are there. So the union of two sets is their
//! [`RangeMerge`](super::range::RangeMerge), their intersection [`RangeWithin`](super::range::RangeWithin), and
//! what an empty set contains is nothing.

mod bounds;
mod complement;
mod cursor;
mod within;

pub use bounds::{BoundsError, Set};
pub use complement::Complement;
pub use cursor::SetCursor;
pub use within::Within;
