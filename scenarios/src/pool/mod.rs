//! Contents of `pool`: threads, stop-watch, CPU time. The one door from pure runs to the machine
//! that carries them out; what comes back depends on no thread's speed.

mod clock;
mod map;
mod search;

pub use clock::{Stopwatch, cpu_time, unix_seconds};
pub use map::{Panicked, map};
pub use search::first;
