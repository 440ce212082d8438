//! Contents of `run`: one run, from a plan to its outcome; and what comes of a crash at any moment of it.

mod outcome;
mod phases;
mod record;
mod recover;

pub use crate::check::Verdict;
pub use crate::cluster::RunOptions;
pub use outcome::{Outcome, RunStatistics};
pub use phases::run;
pub use record::{Moment, Recording, record};
pub use recover::recover;
