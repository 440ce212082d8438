//! Invariants of patience: how long whoever waits waits at most. A plan's clients give up soon; the last
//! reader waits as long as a healed node may take. So the longest that a phase of a run may take is a
//! sum, not a guess: a phase that takes longer hangs.

use std::time::Duration;

use super::build::{late_longest, quantum_longest, sync_longest};
use super::system::REQUESTS_MAX;
use crate::plan::{CommitlogMode, Operation, Plan};

/// How often a client sends a request within its timeout.
const CLIENT_SENDS_COUNT: u32 = 4;

/// How many timeouts a client waits for a connection before it gives up its session.
const CLIENT_CONNECTS_MAX: u32 = 240;

/// How often the last reader sends a request that is not answered.
const READER_SEND_EVERY: Duration = Duration::from_millis(2_500);

/// After healing, every operation is answered within this time, and within what is left to do besides.
const LIVENESS_BOUND: Duration = Duration::from_secs(20);

/// What an operation of the plan may leave to be done when the run is healed: a flush, a part of a
/// compaction, of a replay or of a drain takes no longer than so many syncs.
const SYNCS_PER_OPERATION: u32 = 16;

/// How many windows of the commit log may have to pass one after the other: for a write under way, for the
/// drain that waits for it, and for the rows that the next start mends.
const WINDOWS_LEFT: u32 = 4;

/// How long a client waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Between two sends of a request.
    pub(super) send_every: Duration,
    /// How often it sends a request before it gives it up.
    pub(super) sends_count: u32,
    /// How often it gives up a hello before it gives up its session.
    pub(super) connects_max: u32,
    /// For how long it repeats what the node refuses for now.
    pub(super) repeats_for: Duration,
}

impl Patience {
    /// Of the clients of a plan.
    pub(super) fn of_clients(plan: &Plan) -> Patience {
        let timeout = Duration::from_millis(u64::from(plan.knobs.world.client_timeout_millis));
        Patience {
            send_every: timeout / CLIENT_SENDS_COUNT,
            sends_count: CLIENT_SENDS_COUNT,
            connects_max: CLIENT_CONNECTS_MAX,
            repeats_for: Duration::ZERO,
        }
    }

    /// Of the last reader: it is in no hurry, since how long a healed node may take is the liveness
    /// judge's matter.
    pub(super) fn of_reader(plan: &Plan) -> Patience {
        let bound = liveness_bound(plan);
        let sends_count = bound.as_nanos().div_ceil(READER_SEND_EVERY.as_nanos());
        Patience {
            send_every: READER_SEND_EVERY,
            sends_count: u32::try_from(sends_count).expect("a bound of less than 300 years"),
            connects_max: 1,
            repeats_for: bound,
        }
    }

    /// The longest that a session may take.
    fn session_longest(&self, plan: &Plan, operations: &[Operation]) -> Duration {
        // Whoever waits may be late, each time.
        let knobs = &plan.knobs.world;
        let late = late_longest(knobs) + quantum_longest(knobs);
        let exchange = (self.send_every + late) * self.sends_count;
        let longest = |operation: &Operation| match operation {
            Operation::Pause { millis } => Duration::from_millis(u64::from(*millis)) + late,
            Operation::SystemSchema => exchange * (self.connects_max + REQUESTS_MAX),
            _ => exchange * (self.connects_max + 1),
        };
        // A repetition may begin just before the end of the time for them, and a drain before it.
        let repeats = |operation| match self.repeats_for {
            Duration::ZERO => Duration::ZERO,
            time => time + exchange + longest(operation),
        };
        let all = operations.iter();
        all.map(|operation| longest(operation) + repeats(operation))
            .sum()
    }
}

/// The longest that the clients of a plan may take.
#[must_use]
pub fn clients_longest(plan: &Plan) -> Duration {
    let patience = Patience::of_clients(plan);
    let sessions = plan.clients.iter();
    sessions
        .map(|session| patience.session_longest(plan, session))
        .max()
        .unwrap_or_default()
}

/// The longest that the last reader may take.
#[must_use]
pub fn reader_longest(plan: &Plan, finals: &[Operation]) -> Duration {
    Patience::of_reader(plan).session_longest(plan, finals)
}

/// After healing, the node serves and every operation is answered within this time.
#[must_use]
pub fn liveness_bound(plan: &Plan) -> Duration {
    let operations_count: usize = plan.clients.iter().map(Vec::len).sum();
    let operations_count = u32::try_from(operations_count).expect("a plan has fewer operations");
    let left = sync_longest(&plan.knobs.world) * SYNCS_PER_OPERATION * operations_count;
    let engine = &plan.knobs.engine;
    let window = match engine.commitlog_mode {
        CommitlogMode::Group => Duration::from_millis(u64::from(engine.commitlog_window_millis)),
        CommitlogMode::Batch | CommitlogMode::Periodic => Duration::ZERO,
    };
    LIVENESS_BOUND + left + window * WINDOWS_LEFT
}
