//! Contents of the tests of `sstable`: round trips, damage, bytes.

mod build;
mod damage;
mod format;
mod round_trip;
