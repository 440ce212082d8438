//! Contents of the tests of `read`.

mod counts;
mod laws;
mod purge;
mod rows;
mod stones;
pub(crate) mod support;
