//! Contents of the integration tests of `sim`: one module a room.

mod entropy;
#[cfg(feature = "os")]
mod os;
mod executor;
mod fault;
mod network;
mod support;
mod disk;
mod sync;
mod trace;
mod world;
