//! Contents of the tests of `trie::arena`.

mod aborts;
mod bounds;
mod forms;
mod laws;
mod limits;
mod readers;
mod slots;
mod support;
