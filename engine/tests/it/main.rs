//! Contents of the tests: one module a room.

mod error;
mod metrics;
mod planted;
mod schema;
mod sstable;
