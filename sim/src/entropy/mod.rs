//! Contents of `entropy`: all chance, from keyed streams; nothing else in the workspace draws.
//!
//! A stream belongs to a name; opening, skipping or adding one re-deals no other.

mod key;
mod mix;
mod ratio;
mod stream;

pub use key::{RunKey, StreamKey};
pub use mix::{fold, hash_bytes, mix64, scale};
pub use ratio::Ratio;
pub use stream::{Stream, section_bytes};
