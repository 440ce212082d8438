//! Steps of a traced run: a subscriber for this thread, the run, the lines that it collected.

use cenotaph_sim::trace::{Timeline, watch};
use tracing::Level;

use crate::cluster::RunOptions;
use crate::plan::Plan;
use crate::run::Outcome;
use crate::shrink::Run;

/// Runs a plan, and tells it event by event.
pub(super) fn traced(run: &Run<'_>, plan: &Plan, options: &RunOptions) -> (Outcome, Timeline) {
    let timeline = Timeline::new();
    let options = RunOptions {
        observed: true,
        ..options.clone()
    };
    let outcome = watch(timeline.layer(Level::DEBUG), || run(plan, &options));
    (outcome, timeline)
}
