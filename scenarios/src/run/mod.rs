//! Contents of `run`: one run, from a plan to its outcome.

mod outcome;
mod phases;

pub use crate::check::Verdict;
pub use crate::cluster::RunOptions;
pub use outcome::{Outcome, RunStatistics};
pub use phases::run;
