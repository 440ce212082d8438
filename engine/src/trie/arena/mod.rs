//! Contents of `arena`: the trie in memory, many roots in one arena of small cells.

mod audit;
mod blocks;
mod bounds;
mod cell;
mod chain;
mod chunks;
mod clear;
mod counters;
mod fold;
mod fork;
mod get;
mod leaf;
mod map;
mod mutation;
mod node;
mod put;
mod readers;
mod remove;
mod seek;
mod slots;
mod space;
mod sparse;
mod split;
mod store;
mod undo;
mod waiting;

pub use audit::Unsound;
pub use counters::Counters;
pub use leaf::Leaf;
pub use map::{Arena, SIZE_MAX_BYTES};
pub use mutation::Mutation;
pub use node::Root;
pub use readers::{Guard, Readers};
pub use slots::Slots;
pub use space::ArenaFull;
