//! Contents of `prepare`: from a statement to what the engine executes.

mod columns;
mod read;
mod times;
mod write;

pub use columns::partition_of;
