//! Contents of `check`: one judge a file, each with its invariants.

mod violation;

pub use violation::{Identity, Violation};
