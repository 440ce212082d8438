//! Contents of the tests of `flush`: steps, failures, races with writers and drops, triggers.

mod failures;
mod interval;
mod small;
mod steps;
