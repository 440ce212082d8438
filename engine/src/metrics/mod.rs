//! Contents of `metrics`: plain counters, one set a node and one a table, in a fixed order.

mod counter;
mod node;
mod registry;
mod table;

pub use counter::{Counter, Peak};
pub use node::NodeMetrics;
pub use registry::Metrics;
pub use table::TableMetrics;
