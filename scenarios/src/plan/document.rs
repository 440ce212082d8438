//! Vocabulary of plans: everything that decides a run.

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::knobs::Knobs;
use super::operation::Operation;

/// What one client does, in order, each operation after the answer to the one before.
pub type Session = Vec<Operation>;

/// The one value that a run is a function of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the text: 1.
    pub format: u32,
    /// Name of the scenario, which decides the judges.
    pub scenario: String,
    /// Key of all chance in the run; the seed, when there is one.
    pub run_key: u64,
    /// What the run turns in engine and world.
    #[serde(default)]
    pub knobs: Knobs,
    /// Sessions of the clients.
    pub clients: Vec<Session>,
    /// What goes wrong.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// Name of the planted bug, when the run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bug: Option<String>,
}

impl Plan {
    /// The version that this build writes and reads.
    pub const FORMAT: u32 = 1;
}
