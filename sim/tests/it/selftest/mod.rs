//! Contents of `selftest`: what each self-test of the harness looks for, and that it sees it.

mod chance;
mod machines;
mod storage;
mod table;
