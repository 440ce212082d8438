//! Contents of `workload`: named generators of plans, one file a scenario, and the parts they share.

mod columns;
mod elements;
mod crash_without_drain;
mod faults;
mod finals;
mod flush_coalescing;
mod knobs;
mod maker;
mod operations;
mod places;
mod pools;
mod registry;
mod source;
mod swarm;
mod tables;
mod tombstone_merge;
mod values;

pub use finals::final_operations;
pub use registry::{Scenario, find, list};
