//! Contents of `explore`: many seeds, each run twice and judged, and what they showed; and all crash states of one.

mod crash_states;
mod difference;
mod elsewhere;
mod failure;
mod faults;
mod harness;
mod hunt;
mod kinds;
mod marks;
mod operations;
mod seeds;
mod seen;
mod survived;
mod sweep;
mod tally;

pub use crash_states::{
    BadStates, CrashStates, CrashStatesOptions, FoundState, State, StateName, crash_state,
    crash_states,
};
pub use difference::{Again, Mismatch, between};
pub use elsewhere::{Elsewhere, Told};
pub use failure::{Failure, Group};
pub use faults::FaultCount;
pub use harness::{Entry, Harness};
pub use hunt::{Found, Hunt, HuntOptions, hunt};
pub use operations::OperationCount;
pub use seeds::{Seeds, Shard};
pub use seen::verdict_word;
pub use sweep::{Step, Sweep, SweepOptions, sweep};
pub use tally::{Cost, Crash, Tally};
