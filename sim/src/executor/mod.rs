//! Contents of `executor`: tasks, wakers, and who runs next.

mod body;
mod frozen;
mod keyed_random;
mod panics;
mod pct;
mod policy;
mod pool;
mod ready;
mod roster;
mod round_robin;
mod schedule;
mod stall;
mod task;
mod waker;
mod walk;

pub use keyed_random::KeyedRandom;
pub use pct::Pct;
pub use policy::{Fifo, Pick, Policy, Wake};
pub use pool::{Executor, Outcome, Polled};
pub use roster::Statistics;
pub use round_robin::RoundRobin;
pub use schedule::Schedule;
pub use stall::StallOptions;
pub use task::{Group, TaskId};
pub use walk::Walk;
