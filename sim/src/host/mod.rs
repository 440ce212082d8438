//! Contents of `host`: the whole list of what an engine may ask of its machine.
//!
//! Small handles over one of two worlds, the simulated machine and the real one. Dropping an I/O
//! future never cancels the operation; dropping a [`JoinHandle`] detaches the task.

mod clock;
mod disk;
mod file;
mod machine;
mod network;
mod tasks;

pub use crate::disk::Access as OpenMode;
pub use crate::network::{Address, PACKET_SIZE_MAX, Packet};
pub use clock::{Clock, Sleeping};
pub use disk::{Disk, Lock};
pub use file::File;
pub use machine::Host;
pub use network::Network;
pub use tasks::{Gone, JoinHandle};
