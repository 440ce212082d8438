//! Contents of the tests of `rows`.

pub(crate) mod support;
mod cells;
mod codec;
mod deletions;
mod laws;
mod oracle;
mod ordered;
mod purge;
mod ranges;
mod shade;
mod visibility;
