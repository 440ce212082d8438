//! Contents of `synthetic`: plans and runs that cost nothing, to test what is built on runs.

mod plans;
mod runs;

pub(crate) use plans::{delete_row, insert, one_plan, plan_of};
pub(crate) use runs::{SCENARIOS, harness, outcome, run, violation};
