//! Contents of `peers`: what does the workload, each behind one interface.

mod fjall;
mod floor;
mod keys;
mod memtable;
mod naive;
mod peer;
mod redb;
mod staged;

pub(crate) use fjall::Fjall;
pub(crate) use floor::Floor;
pub(crate) use memtable::{Engine, Memtable};
pub(crate) use naive::Naive;
pub(crate) use peer::Peer;
pub(crate) use redb::Redb;
pub(crate) use staged::Staged;
