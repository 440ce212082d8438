//! Contents of the tests: one module a room, and what they share.

mod check;
mod history;
mod model;
mod plan;
mod support;
mod workload;
