//! Contents of `network`: links between machines, their loss, delay and partitions.

mod fabric;
mod link;
mod packet;

pub use fabric::{Fabric, Fate, Loss};
pub use link::LinkOptions;
pub use packet::{Address, PACKET_SIZE_MAX, Packet};
