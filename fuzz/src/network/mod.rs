//! Contents of `network`: packets, partitions and crashes of small worlds against what must hold of them.

mod judge;
mod play;
mod program;
mod target;

pub use judge::judge;
pub use play::{Heard, Played, play};
pub use program::{Act, Program, Send};
pub use target::network;
