//! Contents of `prepare`: from a statement to what the engine executes.

mod columns;
mod elements;
mod ids;
mod read;
mod times;
mod types;
mod write;

pub use columns::partition_of;
pub use ids::ListIds;
