//! Steps of a sweep: take a chunk of seeds, run each, run each again on another thread in the
//! opposite order, some a third time in another process; compare, count, group; shrink what failed.
//!
//! The opposite order matters: state that a thread keeps from one run to the next would otherwise
//! be the same both times.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::difference::{self, Mismatch};
use super::elsewhere::Elsewhere;
use super::failure::{Failure, Group, Groups};
use super::harness::{Entry, Harness};
use super::kinds;
use super::marks;
use super::seeds::{Seeds, Shard};
use super::seen::Seen;
use super::tally::{Cost, Crash, Tally};
use crate::plan::Plan;
use crate::pool::{self, Panicked, Stopwatch};
use crate::shrink::{Progress, ShrinkOptions};

/// What to sweep, and how.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The scenarios, at least one.
    pub scenarios: Vec<Entry>,
    /// Their seeds.
    pub seeds: Seeds,
    /// Which part of the seeds.
    pub shard: Shard,
    /// Threads. They change how long it takes, and nothing else.
    pub jobs: NonZeroUsize,
    /// The planted bug.
    pub bug: Option<String>,
    /// Whether each seed is run a second time.
    pub twice: bool,
    /// Whether the first failure ends the sweep.
    pub until_failure: bool,
    /// Runs to spend on shrinking each failure, at most.
    pub shrink_runs_max: u32,
}

/// What a sweep is doing.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// It runs seeds.
    Seeds {
        /// Done so far.
        done_count: u64,
        /// To be done; none when time decides.
        count: Option<u64>,
        /// Time so far.
        wall: Duration,
        /// Seeds that failed.
        failing_count: u64,
    },
    /// It met a new way to fail, at this seed and with this plan.
    Fails(&'a Group, &'a Plan),
    /// It shrinks a failure.
    Shrinks(Progress),
    /// It is done with shrinking a failure, whatever came of it.
    Shrunk(&'a Failure),
}

/// What a sweep showed.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Names of the scenarios.
    pub scenarios: Vec<&'static str>,
    /// Their seeds.
    pub seeds: Seeds,
    /// Which part of the seeds.
    pub shard: Shard,
    /// The planted bug.
    pub bug: Option<String>,
    /// Sums.
    pub tally: Tally,
    /// Failures, one a way to fail.
    pub failures: Vec<Failure>,
    /// Runs that were not the same when repeated.
    pub mismatches: Vec<Mismatch>,
    /// Panics of the harness itself.
    pub crashes: Vec<Crash>,
    /// Marks that no run reached.
    pub marks_missing: Vec<&'static str>,
    /// Kinds of fault that plans had, or might have had, and that never struck, when there were chances enough
    /// to tell.
    pub faults_missing: Vec<&'static str>,
    /// The same of kinds of operation that were never done.
    pub operations_missing: Vec<&'static str>,
    /// What it took, shrinking apart.
    pub cost: Cost,
}

impl Sweep {
    /// Whether nothing is wrong, neither with the database nor with the harness.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failures.is_empty()
            && self.mismatches.is_empty()
            && self.crashes.is_empty()
            && self.faults_missing.is_empty()
            && self.operations_missing.is_empty()
    }
}

/// Seeds that are run together; more on many threads, so that few wait for the last.
const CHUNK_SEEDS: usize = 64;
const CHUNK_SEEDS_PER_JOB: usize = 8;

/// One seed in so many is also run in another process; the first one always is.
const SEEDS_PER_PROCESS: u64 = 64;

struct State<'a> {
    harness: &'a Harness<'a>,
    elsewhere: Option<&'a dyn Elsewhere>,
    options: &'a SweepOptions,
    tally: Tally,
    groups: Groups,
    mismatches: Vec<Mismatch>,
    crashes: Vec<Crash>,
}

/// Sweeps. The same options give the same sweep, its cost apart, unless time decides its end.
pub fn sweep(
    harness: &Harness<'_>,
    elsewhere: Option<&dyn Elsewhere>,
    options: &SweepOptions,
    watch: &mut dyn FnMut(Step<'_>),
) -> Sweep {
    let (stopwatch, cpu) = (Stopwatch::start(), pool::cpu_time());
    let mut state = State {
        harness,
        elsewhere,
        options,
        tally: Tally::default(),
        groups: Groups::default(),
        mismatches: Vec::new(),
        crashes: Vec::new(),
    };
    let seeds = options.seeds;
    let mut items = seeds.items(options.shard, &options.scenarios);
    let count = seeds.items_count(options.shard, options.scenarios.len());
    let chunk_size = CHUNK_SEEDS.max(options.jobs.get().saturating_mul(CHUNK_SEEDS_PER_JOB));
    let mut done_count = 0;
    let spent = || (stopwatch.elapsed(), pool::cpu_time().saturating_sub(cpu));
    while !state.is_over(spent()) {
        let chunk: Vec<(Entry, u64)> = items.by_ref().take(chunk_size).collect();
        if chunk.is_empty() {
            break;
        }
        let failing_count = state.groups.seeds_count();
        let known = state.groups.known();
        done_count += state.chunk(&chunk, &spent, &mut |more| {
            let (wall, done_count) = (stopwatch.elapsed(), done_count + more);
            watch(Step::Seeds {
                done_count,
                count,
                wall,
                failing_count,
            });
        });
        for group in state.groups.beside(&known) {
            let bug = options.bug.as_deref();
            let plan = harness.plan(group.scenario, group.seed, bug);
            watch(Step::Fails(group, &plan));
        }
    }
    let (wall, cpu) = spent();
    let cost = Cost { wall, cpu };
    state.finish(cost, watch)
}

/// Time on the wall and on the cores at which to end.
type Limits = (Option<Duration>, Option<Duration>);

fn is_past((wall_max, cpu_max): Limits, (wall, cpu): (Duration, Duration)) -> bool {
    wall_max.is_some_and(|max| wall >= max) || cpu_max.is_some_and(|max| cpu >= max)
}

impl State<'_> {
    fn is_over(&self, spent: (Duration, Duration)) -> bool {
        let seeds = self.options.seeds;
        (self.options.until_failure && !self.groups.is_empty())
            || is_past((seeds.wall_max, seeds.cpu_max), spent)
    }

    /// Runs seeds, the first of them at least, until the time is over; returns how many.
    fn chunk(
        &mut self,
        chunk: &[(Entry, u64)],
        spent: &(dyn Fn() -> (Duration, Duration) + Sync),
        done: &mut dyn FnMut(u64),
    ) -> u64 {
        let (harness, jobs) = (self.harness, self.options.jobs);
        let bug = self.options.bug.as_deref();
        let phases: u64 = if self.options.twice { 2 } else { 1 };
        let run = |item: &(Entry, u64)| Seen::of(harness, item, bug);
        let until = self.first_runs_until(spent());
        let run_in_time = |item: &(Entry, u64)| {
            let is_late = *item != chunk[0] && is_past(until, spent());
            (!is_late).then(|| run(item))
        };
        let firsts = pool::map(jobs, chunk, run_in_time, |count| {
            done(count as u64 / phases);
        });
        let (chunk, firsts): (Vec<_>, Vec<_>) = chunk
            .iter()
            .copied()
            .zip(firsts)
            .filter_map(|(item, first)| Some((item, first.transpose()?)))
            .unzip();
        let seconds = if self.options.twice {
            let backwards: Vec<(Entry, u64)> = chunk.iter().rev().copied().collect();
            let half = chunk.len();
            let mut again = pool::map(jobs, &backwards, run, |count| {
                done((half + count) as u64 / phases)
            });
            again.reverse();
            again.into_iter().map(Some).collect()
        } else {
            vec![None; chunk.len()]
        };
        for ((item, first), second) in chunk.iter().zip(firsts).zip(seconds) {
            if self.options.until_failure && !self.groups.is_empty() {
                break;
            }
            self.seed(item, first, second);
        }
        chunk.len() as u64
    }

    /// When first runs end: second ones take about as long, and are not cut short.
    fn first_runs_until(&self, spent: (Duration, Duration)) -> Limits {
        let Seeds {
            wall_max, cpu_max, ..
        } = self.options.seeds;
        let share = |max: Duration, spent: Duration| match self.options.twice {
            true => spent + max.saturating_sub(spent) / 2,
            false => max,
        };
        (
            wall_max.map(|max| share(max, spent.0)),
            cpu_max.map(|max| share(max, spent.1)),
        )
    }

    fn seed(
        &mut self,
        item: &(Entry, u64),
        first: Result<Seen, Panicked>,
        second: Option<Result<Seen, Panicked>>,
    ) {
        let index = self.tally.seeds_count;
        let bug = self.options.bug.as_deref();
        let (Some(first), second) = (self.whole(item, first), second) else {
            return;
        };
        self.tally.add_seed(&first);
        self.groups.add(&first);
        if let Some(second) = second.and_then(|second| self.whole(item, second)) {
            self.tally.add_run(&second);
            let mismatch = difference::on_threads(self.harness, &first, &second, bug);
            self.mismatches.extend(mismatch);
        }
        if let Some(elsewhere) = self.elsewhere
            && index.is_multiple_of(SEEDS_PER_PROCESS)
        {
            self.tally.processes_count += 1;
            let mismatch = difference::in_process(self.harness, elsewhere, &first, bug);
            self.mismatches.extend(mismatch);
        }
    }

    fn whole(&mut self, item: &(Entry, u64), run: Result<Seen, Panicked>) -> Option<Seen> {
        run.map_err(|Panicked(message)| {
            self.crashes.push(Crash {
                scenario: item.0.name,
                seed: item.1,
                message,
            });
        })
        .ok()
    }

    fn finish(self, cost: Cost, watch: &mut dyn FnMut(Step<'_>)) -> Sweep {
        let options = self.options;
        let shrinking = ShrinkOptions {
            runs_max: options.shrink_runs_max,
            threads: options.jobs,
        };
        let bug = options.bug.as_deref();
        let failures = self.groups.shrunk(self.harness, bug, shrinking, watch);
        let missing = kinds::missing(&options.scenarios, &self.tally);
        Sweep {
            scenarios: options.scenarios.iter().map(|entry| entry.name).collect(),
            seeds: options.seeds,
            shard: options.shard,
            bug: options.bug.clone(),
            marks_missing: marks::missing(&options.scenarios, &self.tally.marks),
            tally: self.tally,
            failures,
            mismatches: self.mismatches,
            crashes: self.crashes,
            faults_missing: missing.faults,
            operations_missing: missing.operations,
            cost,
        }
    }
}
