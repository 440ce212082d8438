//! Contents of `merge`: several deletion-aware tries as one, in which the deletions of each apply to the data of
//! the others.

mod branch;
mod many;
mod merged;
mod sources;
mod two;

pub use branch::Branch;
pub use many::ManySources;
pub use merged::{DeletionAwareMerge, DeletionAwareMergeMany, Merged};
pub use sources::{Branches, Sources};
pub use two::TwoSources;
