//! Contents of `workload`: named generators of plans, one file a scenario, and the parts they share.

mod crash_without_drain;
mod faults;
mod finals;
mod knobs;
mod operations;
mod pools;
mod registry;
mod source;
mod swarm;
mod values;

pub use finals::final_operations;
pub use registry::{Scenario, find, list};
