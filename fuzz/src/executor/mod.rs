//! Contents of `executor`: tasks, timers, notifications and crashes of small worlds against a naive model.

mod model;
mod play;
mod program;
mod target;

pub use model::predict;
pub use play::{Order, play};
pub use program::{Entry, Program, Seen, Step};
pub use target::executor;
