//! Contents of the tests of `trie`.

mod arena;
mod cursors;
mod merging;
mod sets;
mod support;
