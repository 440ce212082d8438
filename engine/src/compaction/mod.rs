//! Contents of `compaction`: many sstables of a table become one, without what may be forgotten.

mod background;
mod error;
mod merge;
mod options;
mod output;
mod report;
mod steps;

pub use background::Compactor;
pub use error::CompactionError;
pub use options::CompactionOptions;
pub use report::CompactionReport;

pub use crate::rows::StoneCounts;
