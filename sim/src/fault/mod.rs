//! Contents of `fault`: what the world does to us, as values with names.

mod anchor;
mod kind;

pub use anchor::{Anchor, AnchorError, DiskAnchor, RequestKind};
pub use kind::{Fault, FaultKind};
