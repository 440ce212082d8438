//! Contents of the tests: one module a room.

mod keys;
mod laws;
mod rows;
