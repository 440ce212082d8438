//! Contents of the tests: one module a room.

mod error;
mod keys;
mod laws;
mod memtable;
mod metrics;
mod planted;
mod read;
mod record;
mod rows;
mod schema;
mod support;
