//! Contents of `model`: what a right database would answer, by brute force over operations.
//!
//! This room knows no engine: it merges nothing, keeps no state of rows, and asks of every answer
//! only whether some set of operations that may have landed explains it.

mod blame;
mod consistent;
mod effects;
mod evaluate;
mod fate;
mod landing;
mod objection;
mod order;
mod partitions;
mod replay;
mod state;
mod survival;
mod tables;
mod witness;

pub use consistent::{Consistent, Contradiction, explain};
pub use evaluate::{ReadRequest, evaluate};
pub use objection::{Cause, Objection, Place};
pub use replay::objections;
