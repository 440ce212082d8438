//! Steps of a traced run: a subscriber for this thread, the run, the lines that it collected.

use cenotaph_sim::trace::Timeline;
use tracing::Level;
use tracing_subscriber::layer::SubscriberExt;

use crate::cluster::RunOptions;
use crate::plan::Plan;
use crate::run::Outcome;
use crate::shrink::Run;

/// Runs a plan, and tells it event by event.
pub(super) fn traced(run: &Run<'_>, plan: &Plan, options: &RunOptions) -> (Outcome, Timeline) {
    let timeline = Timeline::new();
    let subscriber = tracing_subscriber::registry().with(timeline.layer(Level::DEBUG));
    let options = RunOptions {
        observed: true,
        ..options.clone()
    };
    let outcome = tracing::subscriber::with_default(subscriber, || run(plan, &options));
    (outcome, timeline)
}
