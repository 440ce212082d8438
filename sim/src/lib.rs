//! Vocabulary of the simulated machine: chance, time, tasks, disks, networks, machines, faults, traces.
//!
//! Rooms in order; each may import only rooms before it.

pub mod entropy;
pub mod time;
pub mod trace;
pub mod executor;
pub mod sync;
pub mod disk;
pub mod network;
pub mod fault;
pub mod machine;
#[cfg(feature = "os")]
pub mod os;
pub mod host;
pub mod world;
