//! Contents of `merge`: walks over several tries as one.

mod data;
mod many;
mod pair;

pub use data::{Merge, MergeMany};
pub(crate) use many::Many;
pub(crate) use pair::{Pair, skip};
