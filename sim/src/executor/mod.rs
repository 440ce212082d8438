//! Contents of `executor`: tasks, wakers, and who runs next.

mod panics;
mod policy;
mod pool;
mod stall;
mod task;
mod waker;

pub use policy::{Fifo, KeyedRandom, Policy, Wake};
pub use pool::{Executor, Outcome, Polled, Statistics};
pub use stall::StallOptions;
pub use task::{Group, TaskId};
