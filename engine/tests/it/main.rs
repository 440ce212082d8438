//! Contents of the tests: one module a room.

mod commitlog;
mod error;
mod metadata;
mod metrics;
mod planted;
mod record;
mod schema;
mod support;
