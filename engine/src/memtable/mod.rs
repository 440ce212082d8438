//! Contents of `memtable`: the writes of one table that no file holds yet, and the tickets of those
//! still under way.

mod partitions;
mod table;
mod ticket;

pub use table::Memtable;
pub use ticket::Ticket;
