//! Contents of the laws of `trie`: what naive lists say must be what cursors show.

mod deletion_aware;
mod model;
mod ranges;
mod sets;
mod skips;
mod worlds;
