//! Contents of the tests of `compaction`: steps, races with flushes, failures, the background.

mod background;
mod failures;
mod races;
mod steps;
mod support;
mod truncate;
