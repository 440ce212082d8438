//! Contents of `metadata`: its tests.

mod crash;
mod log;
mod recover;
mod support;

pub(crate) use support::{files, open, tables};
