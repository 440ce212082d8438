//! Contents of the tests of `deletion_aware`.

pub(super) mod forms;
mod merging;
mod regressions;
mod skipping;
mod stopping;
mod tails;
