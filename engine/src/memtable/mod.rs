//! Contents of `memtable`: the writes of one table that no file holds yet, and the tickets of those
//! still under way.

mod branch;
mod change;
mod copy;
mod error;
mod held;
mod leaf;
mod partitions;
mod snapshot;
mod table;
mod ticket;

pub use error::MemtableError;
pub use snapshot::Snapshot;
pub use table::Memtable;
pub use ticket::Ticket;
