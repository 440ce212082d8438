//! Contents of the tests: one module a room.

mod plan;
