//! Contents of `shrink`: from a plan that fails to the smallest one that fails in the same way.

mod edit;
mod elements;
mod faults;
mod fields;
mod halving;
mod knobs;
mod names;
mod operations;
mod reduce;
mod search;
mod size;
mod timing;
mod values;

pub use reduce::{ShrinkError, ShrinkOptions, Shrunk, shrink};
pub use search::{Progress, Run};
pub use size::Size;
