//! Contents of the tests of `flush`: steps, failures, races with writers and drops, triggers; flushes
//! of one table beside each other.

mod failures;
mod interval;
mod overlap;
mod small;
mod steps;
