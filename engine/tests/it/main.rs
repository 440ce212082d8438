//! Contents of the tests: one module a room.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod commitlog;
#[cfg(test)]
mod compaction;
#[cfg(test)]
mod error;
#[cfg(test)]
mod flush;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod memtable;
#[cfg(test)]
mod merge;
#[cfg(test)]
mod message;
#[cfg(test)]
mod metadata;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod node;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod read;
#[cfg(test)]
mod record;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod sstable;
#[cfg(test)]
mod store;
#[cfg(test)]
mod support;
#[cfg(test)]
mod system;
#[cfg(test)]
mod trie;
