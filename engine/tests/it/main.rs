//! Contents of the tests: one module a room.

mod commitlog;
mod error;
mod keys;
mod laws;
mod memtable;
mod message;
mod metadata;
mod metrics;
mod planted;
mod read;
mod record;
mod rows;
mod schema;
mod support;
