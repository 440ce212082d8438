//! Steps: hand the arguments to the command line and return its exit code.

fn main() {}
