//! Contents of `walk`: what a cursor is used for: entries, tails, a drawing, a count of the nodes visited.

mod counted;
mod draw;
mod entries;
mod tails;

pub use counted::Counted;
pub use draw::{draw, draw_deletion_aware};
pub use entries::Entries;
pub use tails::Tails;
