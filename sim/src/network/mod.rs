//! Contents of `network`: links between machines, their loss, delay and bandwidth, and the barriers between them.

mod barrier;
mod fabric;
mod link;
mod packet;
mod queueing;

pub use barrier::{Barrier, Closed, Way};
pub use fabric::{Arrival, Fabric, Fate, Loss};
pub use link::LinkOptions;
pub use packet::{Address, PACKET_SIZE_MAX, Packet};
pub use queueing::Bandwidth;
