//! Contents of `os`: the real machine behind the same handles.
//!
//! A door to the real world: it alone reads the system's clocks, draws its chance, and touches its
//! disk and network. What the simulated machine promises, this one keeps as far as its kernel does;
//! what the simulated disk refuses, this one refuses with the same kind of error.

mod options;
mod error;
mod path;
mod boots;
mod machine;
mod tasks;
mod blocking;
mod clock;
mod file;
mod disk;
mod lock;
mod network;
mod run;

pub use file::File;
pub use lock::Lock;
pub use machine::Machine;
pub use options::OsOptions;
pub use run::run;
