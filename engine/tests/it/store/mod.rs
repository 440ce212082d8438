//! Contents of the tests of `store`: edits, the manifest on a disk that crashes, fails and rots.

mod content;
mod damage;
mod laws;
mod manifest;
