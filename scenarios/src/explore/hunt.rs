//! Steps of a hunt for a planted bug: sweep until a seed fails with the bug and holds without it,
//! then shrink that seed's plan.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::harness::{Entry, Harness};
use super::seeds::{Seeds, Shard};
use super::sweep::{Step, SweepOptions, sweep};
use super::tally::Crash;
use crate::check::Identity;
use crate::cluster::RunOptions;
use crate::plan::Plan;
use crate::shrink::{ShrinkOptions, Shrunk, shrink};

/// What to hunt, and how long.
#[derive(Clone, Debug)]
pub struct HuntOptions {
    /// Where the bug may show.
    pub scenarios: Vec<Entry>,
    /// The planted bug.
    pub bug: String,
    /// The first seed.
    pub seed_start: u64,
    /// CPU time to spend on seeds, at most.
    pub cpu_max: Duration,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Runs to spend on shrinking, at most.
    pub shrink_runs_max: u32,
}

/// What a hunt brought.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The planted bug.
    pub bug: String,
    /// Seeds that were run, up to and with the one that found it.
    pub seeds_count: u64,
    /// CPU time that they took.
    pub cpu: Duration,
    /// Seeds that fail in the same way without the bug: it is not what they found.
    pub innocent_count: u64,
    /// Panics of the harness itself.
    pub crashes: Vec<Crash>,
    /// The find.
    pub found: Option<Found>,
}

/// A seed that fails because of a planted bug.
#[derive(Clone, Debug)]
pub struct Found {
    /// The scenario.
    pub scenario: &'static str,
    /// The seed.
    pub seed: u64,
    /// How it fails.
    pub identity: Identity,
    /// Its plan.
    pub plan: Plan,
    /// A smaller one.
    pub shrunk: Option<Shrunk>,
}

/// Hunts for a planted bug.
pub fn hunt(harness: &Harness<'_>, options: &HuntOptions, watch: &mut dyn FnMut(Step<'_>)) -> Hunt {
    let mut hunt = Hunt {
        bug: options.bug.clone(),
        seeds_count: 0,
        cpu: Duration::ZERO,
        innocent_count: 0,
        crashes: Vec::new(),
        found: None,
    };
    let mut start = options.seed_start;
    while hunt.found.is_none() && hunt.cpu < options.cpu_max {
        let cpu_max = options.cpu_max - hunt.cpu;
        let swept = sweep(
            harness,
            None,
            &sweep_options(options, start, cpu_max),
            watch,
        );
        hunt.seeds_count += swept.tally.seeds_count;
        hunt.cpu += swept.cost.cpu;
        hunt.crashes.extend(swept.crashes);
        // The sweep ended at its first failure, so there is at most one.
        let Some(failure) = swept.failures.into_iter().next() else {
            continue_after(&mut start, swept.tally.seeds_count, options.scenarios.len());
            continue;
        };
        start = failure.group.seed + 1;
        let identity = failure.group.identity;
        if is_innocent(harness, &failure.plan, identity) {
            hunt.innocent_count += 1;
            continue;
        }
        let shrinking = ShrinkOptions {
            runs_max: options.shrink_runs_max,
            threads: options.jobs,
        };
        let told = &mut |progress| watch(Step::Shrinks(progress));
        hunt.found = Some(Found {
            scenario: failure.group.scenario,
            seed: failure.group.seed,
            identity,
            shrunk: shrink(harness.run, &failure.plan, shrinking, told).ok(),
            plan: failure.plan,
        });
    }
    hunt
}

fn sweep_options(options: &HuntOptions, start: u64, cpu_max: Duration) -> SweepOptions {
    SweepOptions {
        scenarios: options.scenarios.clone(),
        seeds: Seeds {
            start,
            end: None,
            wall_max: None,
            cpu_max: Some(cpu_max),
        },
        shard: Shard::WHOLE,
        jobs: options.jobs,
        bug: Some(options.bug.clone()),
        twice: false,
        until_failure: true,
        shrink_runs_max: 0,
    }
}

/// A sweep that found nothing ended because its time was over, after whole seeds or nearly so.
fn continue_after(start: &mut u64, items_count: u64, scenarios_count: usize) {
    *start += items_count.div_ceil(scenarios_count.max(1) as u64).max(1);
}

fn is_innocent(harness: &Harness<'_>, plan: &Plan, identity: Identity) -> bool {
    let without = Plan {
        bug: None,
        ..plan.clone()
    };
    let outcome = (harness.run)(&without, &RunOptions::default());
    outcome.verdict.identity() == Some(identity)
}
