//! Contents of `measure`: the workloads, what a run of one costs, and chance for the baselines.

mod chance;
mod cost;
mod workload;

pub use chance::Chance;
pub use cost::{Cost, measure, median, thread_nanos};
pub use workload::{PAYLOAD_SIZE, Workload};
