//! Contents of the tests of `store`: edits, what a store says of itself, the manifest on a disk that crashes, fails and rots.

mod check;
mod content;
mod damage;
mod laws;
mod manifest;
