//! Contents of the integration tests of `sim`: one module a room.

mod barriers;
mod entropy;
#[cfg(feature = "os")]
mod os;
mod executor;
mod fault;
mod network;
#[cfg(feature = "planted-harness")]
mod selftest;
mod smallest;
mod outages;
mod support;
mod disk;
mod sync;
mod time;
mod trace;
mod world;
