//! Contents of the integration tests of `sim`: one module a room.

mod entropy;
mod support;
mod sync;
mod trace;
mod world;
