//! Contents of `cluster`: one node and its clients as machines of a world.

mod answers;
mod build;
mod client;
mod config;
mod connection;
mod faults;
mod options;
mod patience;
mod recorder;
mod requests;
mod stones;
mod system;
mod types;
mod values;

pub use build::{CLIENT_FIRST, Cluster, Left, NODE, NODE_NAME, late_longest, sync_longest};
pub use options::RunOptions;
pub use patience::{clients_longest, liveness_bound, reader_longest};
pub use recorder::{Place, Recorder};
