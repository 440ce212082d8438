//! Contents of the tests of `trie`.

mod arena;
mod cursors;
mod deletion_aware;
mod laws;
mod merging;
mod ranges;
mod sets;
mod support;
