//! Contents of `cluster`: machines and clients of a run.

mod options;

pub use options::RunOptions;
