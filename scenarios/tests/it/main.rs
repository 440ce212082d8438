//! Contents of the tests: one module a room.

mod synthetic;

mod plan;
mod pool;
mod shrink;
mod explore;
mod report;
mod cli;
