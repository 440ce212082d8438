//! Contents of the tests: one module a room, and what they share.

mod support;
mod synthetic;

mod plan;
mod workload;
mod history;
mod model;
mod check;
mod pool;
mod shrink;
mod explore;
mod report;
mod cli;
mod faults;
mod regressions;
mod run;
mod stories;
