//! Contents of the tests of `sstable`: round trips, damage, bytes.

pub(crate) mod build;
mod damage;
mod format;
mod round_trip;
