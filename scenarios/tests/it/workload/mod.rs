//! Contents of the tests of `workload`.

mod plans;
