//! Contents of `record`: its tests.

mod chain;
mod damage;
mod format;
mod support;
mod writer;

pub(crate) use support::{NAME, PAYLOADS, file, three};
