//! Contents of the tests of `trie::arena`.

mod aborts;
mod audit;
mod bounds;
mod cursor;
mod forms;
mod goldens;
mod laws;
mod limits;
mod range;
mod readers;
mod slots;
mod support;
