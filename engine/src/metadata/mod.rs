//! Contents of `metadata`: the log of schema changes, which a start reads before all else.
//!
//! `FORMAT.md` describes the bytes.

mod entry;
mod error;
mod log;
mod recover;
mod write;

pub use error::MetadataError;
pub use log::{Metadata, MetadataOptions};
