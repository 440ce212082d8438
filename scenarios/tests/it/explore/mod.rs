//! Contents of the tests of `explore`.

mod again;
mod crash_states;
mod hunting;
mod seeds;
mod sweeps;
