//! Contents of `run`: one run, from a plan to its outcome.

mod outcome;

pub use outcome::{Outcome, RunStatistics};
