//! Vocabulary of fuzz targets: plain functions of bytes, which a test can call as well as a fuzzer.
//!
//! A target panics when a law does not hold, and returns otherwise, whatever the bytes. To add one:
//! write the function in a file of its own, call it from `fuzz_targets/<name>.rs`, and give that file
//! a `[[bin]]` in Cargo.toml.

mod byte_comparable;
mod disk;
pub mod executor;
mod memtable_vs_model;
pub mod network;
mod record_reader;
mod simulation;
mod trie_ops;
pub mod trie;

pub use byte_comparable::byte_comparable;
pub use disk::disk;
pub use executor::executor;
pub use memtable_vs_model::memtable_vs_model;
pub use network::network;
pub use record_reader::{Damaged, Edit, record_reader};
pub use simulation::simulation;
pub use trie_ops::trie_ops;
