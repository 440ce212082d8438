//! Contents of `compaction`: many sstables of a table become one, without what may be forgotten.

mod background;
mod error;
mod expired;
mod merge;
mod options;
mod output;
mod outside;
mod report;
mod sets;
mod steps;

pub use background::Compactor;
pub use error::CompactionError;
pub use options::CompactionOptions;
pub use report::CompactionReport;

pub use crate::rows::StoneCounts;
