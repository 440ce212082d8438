//! Contents of the integration tests of `sim`: one module a room.

mod entropy;
#[cfg(feature = "os")]
mod os;
mod support;
mod sync;
mod trace;
mod world;
