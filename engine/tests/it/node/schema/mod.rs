//! Contents of the tests of the schema's rows in a node. Of the races that other designs know, three cannot occur
//! here, and have no test:
//!
//! - a scheduler that rejects or cancels the flush: what is armed is an instant that one task looks at;
//! - a switch that turns the flushes off, or a timer of an hour beside them: there is neither;
//! - a change enacted after the last flush of a drain: the drain waits for all changes, refuses new ones, and the
//!   flush asserts that nothing arms it after its end.

mod agree;
mod cost;
mod crashes;
mod drains;
mod failures;
mod plants;
mod service;
mod windows;
