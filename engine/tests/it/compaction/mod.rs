//! Contents of the tests of `compaction`: steps, races with flushes, failures, the background, what may go and why.

mod background;
mod expired;
mod failures;
mod overlapping;
mod races;
mod repaired;
mod steps;
mod support;
mod truncate;
