//! Contents of `schema`: its tests.

mod changes;
mod cost;
mod diff;
mod encoding;
mod support;

pub(crate) use support::{column, create, every_collection, schema};
