//! Contents of `commitlog`: positions in the log.

mod position;

pub use position::{Interval, Position};
