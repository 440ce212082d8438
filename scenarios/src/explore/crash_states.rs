//! Steps of a search through crash states: record a run, list what a power cut may leave at each of its
//! moments, spread the budget over them, recover from each state and judge it.
//!
//! An image is recovered from once for each history that ends with it: what an acknowledgement promises
//! hangs on both. In periodic mode it hangs on the time, too, so that no two moments share a history.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::str::FromStr;

use cenotaph_sim::disk::states::{Bounds, Image, Progress, Search};
use cenotaph_sim::disk::{CrashKind, Disk};
use cenotaph_sim::entropy::mix64;

use super::survived::survived;
use crate::check::Identity;
use crate::cluster::RunOptions;
use crate::plan::{CommitlogMode, Plan};
use crate::pool::{self, Panicked};
use crate::run::{Moment, Outcome, Recording, record, recover};

/// Images listed of one history, at most.
const IMAGES_MAX: u64 = 100_000;

/// Histories that are recovered from before anything is told.
const CHUNK: usize = 16;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct CrashStatesOptions {
    /// How many registers may be dropped from the newest state, and how many kept beyond the oldest.
    pub bound: u32,
    /// Recoveries, at most.
    pub states_max: u64,
    /// Threads.
    pub jobs: NonZeroUsize,
}

/// A state that a power cut may leave: the moment of the run, and the image's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateName {
    /// The moment's number.
    pub moment: usize,
    /// The hash of the image.
    pub image: u128,
}

/// A state, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: StateName,
    /// The request after which the power was cut.
    pub request: String,
    /// What survived.
    pub survived: String,
}

/// A kind of failure, and the states from which the node does not recover as it must.
#[derive(Clone, Debug)]
pub struct BadStates {
    /// In which way.
    pub identity: Identity,
    /// The first state that shows it.
    pub first: State,
    /// What came of that one.
    pub outcome: Outcome,
    /// How many states show it.
    pub count: u64,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct CrashStates {
    /// Moments of the run.
    pub moments_count: usize,
    /// Moments that leave what another one with the same history leaves.
    pub moments_merged: u64,
    /// Images of all moments, those met before among them.
    pub images_count: u64,
    /// States: images, each once for a history.
    pub states_count: u64,
    /// Whether some history has more images than are listed.
    pub is_cut: bool,
    /// States that were recovered from.
    pub recovered_count: u64,
    /// One a kind of failure, in the order of the moments.
    pub failures: Vec<BadStates>,
    /// Searches that panicked outside the simulated machines, by their first moment: bugs of the harness.
    pub panics: Vec<(usize, Panicked)>,
    /// A hash of the fingerprints of all recoveries.
    pub fingerprint: u64,
}

impl CrashStates {
    /// Whether every state that was recovered from holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failures.is_empty() && self.panics.is_empty()
    }
}

/// Searches the crash states of a plan's run. `done` is told how many states were recovered from, of how
/// many, and how many of them fail.
pub fn crash_states(
    plan: &Plan,
    options: &CrashStatesOptions,
    done: &mut dyn FnMut(u64, u64, u64),
) -> CrashStates {
    let recording = record(plan);
    let histories = histories(&recording);
    let bounds = Bounds::deviations(options.bound);
    let listed = pool::map(
        options.jobs,
        &histories,
        |history| list(&recording, history, bounds),
        |_| {},
    );
    let listed: Vec<Progress> = listed
        .into_iter()
        .map(|listed| listed.unwrap_or_else(|panicked| panic!("a listing: {}", panicked.0)))
        .collect();
    let counts: Vec<u64> = listed.iter().map(|progress| progress.recoveries).collect();
    let mut found = CrashStates {
        moments_count: recording.moments.len(),
        moments_merged: listed.iter().map(|progress| progress.points_merged).sum(),
        images_count: listed.iter().map(|progress| progress.images).sum(),
        states_count: counts.iter().sum(),
        is_cut: listed.iter().any(|progress| progress.points_cut > 0),
        ..CrashStates::default()
    };
    let wanted = spread(&counts, options.states_max);
    let jobs = histories.into_iter().zip(counts).zip(wanted);
    let jobs: Vec<Job> = jobs
        .map(|((moments, count), wanted)| Job {
            moments,
            count,
            wanted,
        })
        .collect();
    let all = jobs.iter().map(|job| job.wanted).sum();
    // In chunks, so that what failed is known while the search goes on, and little is held.
    for chunk in jobs.chunks(CHUNK) {
        let search = |job: &Job| recover_some(&recording, job, bounds);
        let results = pool::map(options.jobs, chunk, search, |_| {});
        for (job, result) in chunk.iter().zip(results) {
            found.take(job, result);
        }
        let failing = found.failures.iter().map(|failure| failure.count).sum();
        done(found.recovered_count, all, failing);
    }
    found
}

/// Moments that share a history, and how many of their states to recover from.
struct Job {
    moments: Range<usize>,
    count: u64,
    wanted: u64,
}

/// What came of a job.
#[derive(Default)]
struct Found {
    recovered_count: u64,
    fingerprint: u64,
    failures: Vec<BadStates>,
}

impl Found {
    fn add(&mut self, identity: Identity, count: u64, first: impl FnOnce() -> (State, Outcome)) {
        let known = self.failures.iter_mut();
        if let Some(known) = known.into_iter().find(|known| known.identity == identity) {
            known.count += count;
            return;
        }
        let (first, outcome) = first();
        self.failures.push(BadStates {
            identity,
            first,
            outcome,
            count,
        });
    }
}

impl CrashStates {
    fn take(&mut self, job: &Job, result: Result<Found, Panicked>) {
        let found = match result {
            Ok(found) => found,
            Err(panicked) => {
                self.panics.push((job.moments.start, panicked));
                return;
            }
        };
        self.recovered_count += found.recovered_count;
        self.fingerprint = mix64(self.fingerprint, found.fingerprint);
        for failure in found.failures {
            let mut known = self.failures.iter_mut();
            match known.find(|known| known.identity == failure.identity) {
                Some(known) => known.count += failure.count,
                None => self.failures.push(failure),
            }
        }
    }
}

/// The moments in runs that share a history.
fn histories(recording: &Recording) -> Vec<Range<usize>> {
    let is_timed = recording.plan.knobs.engine.commitlog_mode == CommitlogMode::Periodic;
    let moments = &recording.moments;
    let shares = |one: &Moment, next: &Moment| {
        !is_timed && (one.incarnation, one.events_before) == (next.incarnation, next.events_before)
    };
    let mut start = 0;
    let runs = moments.chunk_by(shares).map(|run| {
        let range = start..start + run.len();
        start = range.end;
        range
    });
    runs.collect()
}

fn list(recording: &Recording, moments: &Range<usize>, bounds: Bounds) -> Progress {
    let mut search = Search::new(bounds, IMAGES_MAX);
    for moment in &recording.moments[moments.clone()] {
        search.images(&moment.disk, CrashKind::PowerCut, |_| {});
    }
    search.progress()
}

/// How many states of each history to recover from, within the budget: histories with few leave more to
/// the others, and where there is less than one for each, some have one.
fn spread(counts: &[u64], states_max: u64) -> Vec<u64> {
    let histories_count = counts.len() as u64;
    if states_max < histories_count {
        let has_one = |index: u64| is_wanted(index, states_max, histories_count);
        return (0..histories_count)
            .map(|index| u64::from(has_one(index)))
            .collect();
    }
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let mut left = states_max;
    for (index, &count) in sorted.iter().enumerate() {
        let large_count = (sorted.len() - index) as u64;
        let share = left / large_count;
        if count > share {
            return shares(counts, share, left % large_count, large_count);
        }
        left -= count;
    }
    counts.to_vec()
}

/// The share of each, or all that it has; `left` of the `large_count` that have more get one more.
fn shares(counts: &[u64], share: u64, left: u64, large_count: u64) -> Vec<u64> {
    let mut large_before = 0;
    let of = |&count: &u64| {
        if count <= share {
            return count;
        }
        large_before += 1;
        share + u64::from(is_wanted(large_before - 1, left, large_count))
    };
    counts.iter().map(of).collect()
}

/// Whether the item of this number is among `wanted` of all items, evenly spread.
fn is_wanted(number: u64, wanted: u64, count: u64) -> bool {
    let reached = |items: u64| u128::from(items) * u128::from(wanted) / u128::from(count);
    reached(number + 1) > reached(number)
}

/// Recovers from the wanted number of states, spread evenly over all in the order of their listing.
fn recover_some(recording: &Recording, job: &Job, bounds: Bounds) -> Found {
    let mut found = Found::default();
    let mut search = Search::new(bounds, IMAGES_MAX);
    let mut listed = 0;
    for number in job.moments.clone() {
        let moment = &recording.moments[number];
        search.images(&moment.disk, CrashKind::PowerCut, |image| {
            let is_wanted = is_wanted(listed, job.wanted, job.count);
            listed += 1;
            if !is_wanted {
                return;
            }
            let outcome = recover(recording, number, image.disk(), &RunOptions::default());
            found.recovered_count += 1;
            found.fingerprint = mix64(found.fingerprint, outcome.fingerprint.value());
            if let Some(identity) = outcome.verdict.identity() {
                found.add(identity, 1, || (state(moment, number, image), outcome));
            }
        });
    }
    found
}

fn state(moment: &Moment, number: usize, image: &Image<'_>) -> State {
    State {
        name: StateName {
            moment: number,
            image: image.hash(),
        },
        request: moment.request.clone(),
        survived: survived(&moment.disk, image),
    }
}

/// One state, found again by its name.
#[derive(Clone, Debug)]
pub struct FoundState {
    /// The state, in words.
    pub state: State,
    recording: Recording,
    disk: Disk,
}

impl FoundState {
    /// The plan that was recorded: without faults.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.recording.plan
    }

    /// Recovers from it.
    #[must_use]
    pub fn recover(&self, options: &RunOptions) -> Outcome {
        let (number, disk) = (self.state.name.moment, self.disk.clone());
        recover(&self.recording, number, disk, options)
    }
}

/// Looks for a state of a plan's run; none when it has none of that name within the bound.
#[must_use]
pub fn crash_state(plan: &Plan, name: StateName, bound: u32) -> Option<FoundState> {
    let recording = record(plan);
    let moment = recording.moments.get(name.moment)?;
    let mut found = None;
    let mut search = Search::new(Bounds::deviations(bound), IMAGES_MAX);
    search.images(&moment.disk, CrashKind::PowerCut, |image| {
        if image.hash() == name.image {
            found = Some((image.disk(), state(moment, name.moment, image)));
        }
    });
    let (disk, state) = found?;
    Some(FoundState {
        state,
        recording,
        disk,
    })
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:032x}", self.moment, self.image)
    }
}

impl FromStr for StateName {
    type Err = String;

    fn from_str(text: &str) -> Result<StateName, String> {
        let parse = || {
            let (moment, image) = text.split_once(':')?;
            Some(StateName {
                moment: moment.parse().ok()?,
                image: u128::from_str_radix(image, 16).ok()?,
            })
        };
        parse().ok_or_else(|| {
            format!("`{text}` is not a state: expected `MOMENT:IMAGE`, as it was told")
        })
    }
}
