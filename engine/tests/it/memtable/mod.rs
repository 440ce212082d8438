//! Contents of the tests of `memtable`.

pub(crate) mod cases;
pub(crate) mod content;
mod snapshots;
mod work;
