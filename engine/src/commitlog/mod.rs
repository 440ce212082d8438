//! Contents of `commitlog`: positions in the log.

mod interval;
mod position;

pub use interval::{Interval, IntervalSet};
pub use position::Position;
