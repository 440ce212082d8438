//! Contents of `record`: framed, checksummed append-only files.

mod error;

pub use error::{Damage, RecordError};
