//! Contents of the tests of `trie`.

mod arena;
