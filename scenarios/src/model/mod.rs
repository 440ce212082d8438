//! Contents of `model`: what a right database would answer, by brute force over operations.
//!
//! This room knows no engine: it merges nothing, keeps no state of rows, and asks of every answer
//! only whether some set of operations that may have landed explains it.

mod blame;
mod columns;
mod compactions;
mod consistent;
mod edges;
mod effects;
mod evaluate;
mod excuse;
mod fate;
mod forgotten;
mod form;
mod landed;
mod landing;
mod lists;
mod objection;
mod order;
mod partitions;
mod reading;
mod repairs;
mod replay;
mod said;
mod seconds;
mod slot;
mod state;
mod stones;
mod stones_form;
mod survival;
mod system;
mod tables;
mod witness;

pub use consistent::{Candidates, Consistent, Contradiction, explain};
pub use evaluate::{ReadRequest, evaluate};
pub use excuse::Part;
pub use landed::{Decay, Landed};
pub use objection::{Cause, Objection, Place};
pub use replay::objections;
pub use slot::{Path, Slot};
