//! Contents of `time`: instants of virtual time, wall time, and the queue of what happens when.

mod instant;

pub use instant::{Instant, WallMicros};
