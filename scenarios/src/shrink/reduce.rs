//! Steps of shrinking: idle faults, faults, clients, tables, operations, knobs; then fewer names,
//! short values and plain parameters; all of it again until a whole round finds nothing, nor do
//! fewer operations under another key of chance.
//!
//! Such a round has tried to leave out every single fault, client, operation and knob: the plan is
//! then minimal in that sense.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use thiserror::Error;

use super::faults;
use super::halving::{List, halve};
use super::knobs;
use super::names;
use super::operations;
use super::search::{Progress, Run, Search};
use super::size::Size;
use super::timing;
use super::values;
use crate::check::Identity;
use crate::cluster::RunOptions;
use crate::plan::{Plan, PlanError};
use crate::run::Outcome;

/// How much to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkOptions {
    /// Runs, at most; the first one shows the failure.
    pub runs_max: u32,
    /// Threads. They change how long it takes, and nothing else.
    pub threads: NonZeroUsize,
}

/// A plan that fails as another did.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The plan.
    pub plan: Plan,
    /// What comes of it.
    pub outcome: Outcome,
    /// The failure of both.
    pub identity: Identity,
    /// Size of the other.
    pub before: Size,
    /// Size of this one.
    pub after: Size,
    /// Runs spent.
    pub runs_count: u32,
    /// Whether nothing can be left out any more; false when the budget ended first.
    pub is_minimal: bool,
}

/// Why a plan cannot be shrunk.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShrinkError {
    /// There is no failure to keep.
    #[error("the plan does not fail: there is nothing to shrink")]
    Held,
    /// The plan itself is out of bounds.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Knobs that are turned, as a list to turn back.
const KNOBS: List = List {
    count: |plan| knobs::turned(&plan.knobs).len(),
    without: |plan, range| Some(knobs::turn_back(plan, &knobs::turned(&plan.knobs)[range])),
    otherwise: |_, _, _| Vec::new(),
};

/// Shrinks a plan while its failure keeps its identity. `progress` hears of every batch of runs.
///
/// # Errors
/// [`ShrinkError::Held`] when the plan does not fail at all; [`ShrinkError::Plan`] when it is none.
pub fn shrink(
    run: &Run<'_>,
    plan: &Plan,
    options: ShrinkOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Shrunk, ShrinkError> {
    plan.validate("plan")?;
    let outcome = run(plan, &RunOptions::default());
    let identity = outcome.verdict.identity().ok_or(ShrinkError::Held)?;
    let before = Size::of(plan);
    let mut search = Search {
        run,
        threads: options.threads,
        identity,
        plan: plan.clone(),
        outcome,
        runs_count: 1,
        runs_max: options.runs_max,
        tried: BTreeSet::from([plan.hash()]),
        progress,
    };
    let mut is_minimal = false;
    while !search.is_over() && !is_minimal {
        let at_start = search.plan.hash();
        round(&mut search);
        if search.plan.hash() == at_start {
            halve(&mut search, &operations::REROLLED);
        }
        is_minimal = !search.is_over() && search.plan.hash() == at_start;
    }
    let after = Size::of(&search.plan);
    assert!(
        after.is_within(&before),
        "shrinking made {before} of {after}"
    );
    Ok(Shrunk {
        after,
        before,
        plan: search.plan,
        outcome: search.outcome,
        identity: search.identity,
        runs_count: search.runs_count,
        is_minimal,
    })
}

fn round(search: &mut Search<'_>) {
    let idle = faults::without_waiting(&search.plan, &search.outcome.faults_waiting);
    search.adopt_first(&mut std::iter::once((0, Some(idle))));
    halve(search, &faults::LIST);
    halve(search, &operations::CLIENTS);
    search.exhaust(operations::merged_clients);
    search.exhaust(names::whole_objects);
    halve(search, &operations::LIST);
    search.exhaust(timing::merged_pauses);
    halve(search, &KNOBS);
    search.exhaust(names::merged_tables);
    search.exhaust(names::merged_partitions);
    search.exhaust(names::merged_clustering);
    search.exhaust(names::small_numbers);
    search.exhaust(values::short_values);
    search.exhaust(operations::plainer);
    search.exhaust(operations::narrower);
    search.exhaust(faults::plainer);
}
