//! Contents of the tests of `cli`.

mod called;
mod files;
mod program;
mod searches;
mod wrong;
