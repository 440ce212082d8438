//! Contents of `flush`: how the content of memtables comes into sstables, and when.

mod background;
mod error;
mod options;
mod schema;
mod steps;
mod write;

pub use background::Flusher;
pub use error::FlushError;
pub use options::FlushOptions;
pub use schema::SchemaFlush;
pub use write::write_sstable;
