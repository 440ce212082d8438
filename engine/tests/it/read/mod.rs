//! Contents of the tests of `read`.

mod counts;
mod laws;
mod rows;
pub(crate) mod support;
