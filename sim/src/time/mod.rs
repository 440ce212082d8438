//! Contents of `time`: instants of virtual time, wall time, and the queue of what happens when.

mod instant;
mod queue;

pub use instant::{Instant, WallMicros};
pub use queue::Queue;
