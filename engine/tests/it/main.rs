//! Contents of the tests: one module a room.

mod error;
#[cfg(test)]
mod keys;
mod laws;
#[cfg(test)]
mod memtable;
#[cfg(test)]
mod message;
mod metrics;
mod planted;
#[cfg(test)]
mod read;
mod record;
#[cfg(test)]
mod rows;
mod schema;
mod support;
