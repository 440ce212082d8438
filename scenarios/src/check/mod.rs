//! Contents of `check`: the judges, one a file, and what they say.

mod answers;
mod boot;
mod compaction;
mod durability;
mod evidence;
mod liveness;
mod pairs;
mod panics;
mod resurrection;
mod schema;
mod schema_flush;
mod stones;
mod store;
mod system_schema;
mod verdict;
mod violation;

pub use evidence::Evidence;
pub use verdict::{Verdict, judge};
pub use violation::{Identity, Invariant, Judge, Role, Violation};
