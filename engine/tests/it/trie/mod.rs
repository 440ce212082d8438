//! Contents of the tests of `trie`.

mod arena;
mod cost;
mod cursors;
mod deletion_aware;
mod drawings;
mod laws;
mod merging;
mod positions;
mod ranges;
mod sets;
mod support;
mod watching;
