//! Contents of the tests of `pool`.

mod map;
mod search;
