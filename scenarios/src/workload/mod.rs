//! Contents of `workload`: see below.
