//! Contents of `compaction`: many sstables of a table become one, without what may be forgotten.

mod report;

pub use report::{CompactionReport, StoneCounts};
