//! Contents of `record`: framed, checksummed append-only files, which the logs and the manifest share.
//!
//! `FORMAT.md` describes the bytes, and how a torn tail is told from corruption.

mod chain;
mod error;
mod file;
mod format;
mod read;
mod writer;

pub use chain::{Chain, Listed, chain, list, read_file};
pub use error::{Damage, RecordError};
pub use file::{FileKind, FileName, ensure_dir, load, remove_all, sync_listing};
pub use format::{FileHeader, Previous, encode_record};
pub use read::{Contents, End, Record, read_all};
pub use writer::Writer;
