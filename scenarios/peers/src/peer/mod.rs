//! Contents of `peer`: one simulator or baseline a file, each running the same workloads.

pub mod cenotaph;
pub mod heap;
pub mod tokio_task;
pub mod turmoil;
mod unordered;
