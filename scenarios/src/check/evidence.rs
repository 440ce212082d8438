//! Vocabulary of what judges see: the plan, the history of its run, and the bounds that held in it.

use std::time::Duration;

use crate::history::{History, RunFacts, Timeline};
use crate::model::Objection;
use crate::plan::Plan;

/// What a run left for its judges.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// What happened.
    pub history: &'a History,
    /// What bounds held.
    pub facts: &'a RunFacts,
}

/// The same, read once for all judges.
pub(super) struct Case<'a> {
    pub(super) history: &'a History,
    pub(super) facts: &'a RunFacts,
    /// How long a schema change waits for its flush, when a node starts.
    pub(super) window: Duration,
    /// Whether the node compacts tables without being asked to.
    pub(super) compacts_itself: bool,
    pub(super) timeline: Timeline<'a>,
    pub(super) objections: Vec<Objection>,
}
