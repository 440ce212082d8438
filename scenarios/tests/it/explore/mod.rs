//! Contents of the tests of `explore`.

mod again;
mod hunting;
mod seeds;
mod sweeps;
