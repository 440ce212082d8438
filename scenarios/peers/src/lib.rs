//! Contents of the peers: the workloads on each simulator, for the table of `speed`.

pub mod peer;
