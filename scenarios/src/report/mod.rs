//! Contents of `report`: what a person, or a program, is told. Pure functions from values to text.

mod crash_states;
mod difference;
mod failure;
mod json;
mod numbers;
mod outcome;
mod planted;
mod summary;

pub use crash_states::{bad_state, bad_state_json, crash_states, crash_states_json, state};
pub use difference::{comparison, mismatch};
pub use failure::{Finding, failure};
pub use json::{failure_json, hunt_json, mismatch_json, outcome_json, sweep_json};
pub use numbers::{counted, grouped, ratio, seconds};
pub use outcome::outcome;
pub use planted::planted;
pub use summary::{rates, summary};
