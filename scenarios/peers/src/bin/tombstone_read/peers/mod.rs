//! Contents of `peers`: what does the workload, each behind one interface.

mod fjall;
mod floor;
mod keys;
mod memtable;
mod naive;
mod peer;
mod redb;
mod staged;

pub use fjall::Fjall;
pub use floor::Floor;
pub use memtable::{Engine, Memtable};
pub use naive::Naive;
pub use peer::Peer;
pub use redb::Redb;
pub use staged::Staged;
