//! Vocabulary of seeded simulations: plans, workloads, the model, judges, exploring, shrinking.
//!
//! Rooms in order; each may import only rooms before it.

pub mod plan;
pub mod workload;
pub mod history;
pub mod model;
pub mod cluster;
pub mod check;
pub mod pool;
pub mod run;
pub mod shrink;
pub mod explore;
pub mod report;
pub mod cli;
