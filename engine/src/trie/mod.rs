//! Contents of `trie`: ordered maps of byte strings as tries, and cursors that walk, cut and merge them.

pub mod arena;
pub mod deletion_aware;
pub mod list;
pub mod merge;
pub mod range;
pub mod set;
pub mod verify;
pub mod view;
pub mod walk;
mod cursor;
mod direction;
mod position;

pub use cursor::Cursor;
pub use direction::Direction;
pub use position::Position;
