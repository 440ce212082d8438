//! Contents of the tests of `message`.

mod answers;
mod codec;
mod collections;
mod cql;
mod prepare;
mod sessions;
mod support;
