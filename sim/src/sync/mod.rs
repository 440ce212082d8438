//! Contents of `sync`: the only way in which tasks of one node wait for one another.
//!
//! Written once on the standard `Waker`, so it serves the simulated and the real machine alike. All
//! of it is for one thread; nothing here is `Send`.

mod notify;
pub mod oneshot;
mod semaphore;
mod timeout;
mod yielding;

pub use notify::{Notified, Notify};
pub use semaphore::{Permit, Semaphore};
pub use timeout::{Elapsed, timeout};
pub use yielding::yield_now;
