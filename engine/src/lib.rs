//! Vocabulary of the engine: a Cassandra-style storage engine that sees the world only through a host.
//!
//! Rooms in order; each may import only rooms before it.

pub mod limits;
pub mod error;
pub mod planted;
pub mod metrics;
pub mod keys;
pub mod trie;
pub mod rows;
pub mod schema;
pub mod system;
pub mod record;
pub mod commitlog;
pub mod memtable;
pub mod sstable;
pub mod metadata;
pub mod store;
pub mod flush;
pub mod compaction;
pub mod read;
pub mod message;
pub mod node;
