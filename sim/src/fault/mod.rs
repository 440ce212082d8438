//! Contents of `fault`: what the world does to us, as values with names.

mod anchor;
mod kind;

pub use anchor::{Anchor, AnchorError, DiskAnchor, RequestAnchor, RequestKind};
pub use kind::{Fault, FaultKind, Outage};
