//! Contents of the tests of `os`: the real machine, alone and beside the simulated one.

mod differential;
mod disk;
mod life;
mod network;
mod script;
mod support;
