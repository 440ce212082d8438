//! Contents of `cli`: the command line, one subcommand a file. The one room that reads arguments
//! and files and prints; everything goes through the writers of its caller.

mod args;
mod console;
mod crash_states;
mod diff;
mod elsewhere;
mod entry;
mod error;
mod explore;
mod files;
mod keeper;
mod list;
mod meter;
mod planted;
mod real;
mod replay;
mod run;
mod shrink;
mod suggest;
mod timeline;

pub use console::Console;
pub use entry::{Context, HELD, VIOLATED, WRONG, call};
pub use real::main;
