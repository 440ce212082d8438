//! Contents of the integration tests of `sim`: one module a room.

mod support;
mod sync;
mod world;
