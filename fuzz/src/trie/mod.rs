//! Contents of `trie`: walks over ranges and over deletion-aware tries against lists that are looked at whole.

mod draw;
mod merge;
mod model;
mod moves;
mod range;

pub use merge::{MergeAnswer, MergeCase, deletion_aware_merge};
pub use model::Model;
pub use range::{RangeAnswer, RangeCase, range_trie};
