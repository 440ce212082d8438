//! Steps of a run: build the cluster, let the clients and the faults do their worst, heal, have
//! everything read, ask the judges.

use std::time::Duration;

use cenotaph_engine::planted;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::{Limits, RunEnd, World, WorldEvent};

use super::outcome::{Outcome, RunStatistics};
use crate::check::{self, Evidence, Identity, Invariant, Judge, Role, Violation};
use crate::cluster::{self, Cluster, NODE, RunOptions};
use crate::history::{Event, History, NodeClock, RunFacts};
use crate::plan::{FaultKind, Operation, Plan};
use crate::workload;

/// Polls that any phase may take, and more for what its plan asks for: an operation, or a millisecond of
/// pauses in which the database may have something to do.
const PHASE_POLLS: u64 = 50_000_000;
const POLLS_PER_OPERATION: u64 = 1_000;
const POLLS_PER_MILLISECOND: u64 = 64;

/// Virtual time that a healed world gets to come to rest.
const SETTLE_TIME: Duration = Duration::from_secs(1);

/// Runs a plan. The outcome hangs on the plan alone: not on the thread, the build, or the options.
///
/// # Panics
/// When the plan names a bug that does not exist, or any in a build without the feature `planted`:
/// validated plans do not.
#[must_use]
pub fn run(plan: &Plan, options: &RunOptions) -> Outcome {
    let _planted = plant(plan);
    let finals = workload::final_operations(plan);
    let longest = [
        cluster::clients_longest(plan),
        cluster::reader_longest(plan, &finals),
    ];
    let finals_count = finals.len();
    let cluster = Cluster::build(plan, finals, options);
    let safety = cluster.world.run(phase(plan, &cluster.world, longest[0]));
    cluster.inspect();
    let healed_at = cluster.world.now();
    cluster.world.heal();
    // What struck a moment ago may still have its effect: a node that stops for it is to be back up.
    let settled = settle(&cluster.world);
    cluster.inspect();
    cluster.recorder.push(Event::Healed {
        at: cluster.world.now(),
    });
    cluster.world.boot_if_down(NODE);
    cluster.world.boot(cluster.reader);
    let liveness = cluster.world.run(phase(plan, &cluster.world, longest[1]));
    cluster.inspect();
    let ends = [safety, settled, liveness];
    finish(plan, &cluster, finals_count, healed_at, ends)
}

/// Plants the bug of a plan on this thread until the guard is dropped.
#[cfg(feature = "planted")]
pub(super) fn plant(plan: &Plan) -> planted::Guard {
    planted::choose(bug(plan))
}

#[cfg(not(feature = "planted"))]
pub(super) fn plant(plan: &Plan) {
    assert_eq!(None, bug(plan), "this build has no planted bugs");
}

fn bug(plan: &Plan) -> Option<planted::Plant> {
    let name = plan.bug.as_ref()?;
    Some(name.parse().expect("a validated plan's bug exists"))
}

/// The limits of a phase that ends within a time by itself, unless something hangs.
pub(super) fn phase(plan: &Plan, world: &World, longest: Duration) -> Limits {
    let all = || plan.clients.iter().flatten();
    let pauses = all().map(|operation| match operation {
        Operation::Pause { millis } => u64::from(*millis),
        _ => 0,
    });
    Limits {
        until: world.now().after(longest + SETTLE_TIME),
        polls_max: PHASE_POLLS
            + POLLS_PER_OPERATION * all().count() as u64
            + POLLS_PER_MILLISECOND * pauses.sum::<u64>(),
        ..Limits::default()
    }
}

/// Lets a healed world come to rest. Nobody ends this phase but the clock.
pub(super) fn settle(world: &World) -> RunEnd {
    let until = world.now().after(SETTLE_TIME);
    match world.run(Limits {
        until,
        ..Limits::default()
    }) {
        // Nothing was left to happen in a world at rest.
        RunEnd::OutOfTime | RunEnd::Deadlock { .. } => RunEnd::Finished,
        end => end,
    }
}

fn finish(
    plan: &Plan,
    cluster: &Cluster,
    finals_count: usize,
    healed_at: Instant,
    ends: [RunEnd; 3],
) -> Outcome {
    let history = cluster
        .recorder
        .history(&cluster.world.events(), &plan.faults);
    judged(plan, cluster, history, finals_count, healed_at, ends)
}

/// What came of a run with this history.
pub(super) fn judged(
    plan: &Plan,
    cluster: &Cluster,
    history: History,
    finals_count: usize,
    healed_at: Instant,
    ends: [RunEnd; 3],
) -> Outcome {
    let world = &cluster.world;
    let facts = facts_of(plan, world, healed_at, finals_count);
    let mut verdict = check::judge(&Evidence {
        plan,
        history: &history,
        facts: &facts,
    });
    verdict
        .violations
        .extend(ends.iter().filter_map(standstill));
    let (fingerprint, recorded) = world.trace().finish();
    let statistics = RunStatistics {
        stones_purged_count: cluster.stones_purged_count(),
        ..statistics_of(world, &history, fingerprint.events_count())
    };
    let faults_waiting = world.faults_waiting();
    Outcome {
        verdict,
        fingerprint,
        facts,
        statistics,
        marks: world.marks(),
        faults_waiting: faults_waiting
            .iter()
            .map(|index| plan.faults[*index].clone())
            .collect(),
        recorded,
        history,
    }
}

/// A phase that ended by itself: time stood still, or nothing was left to happen.
fn standstill(end: &RunEnd) -> Option<Violation> {
    let identity = Identity {
        judge: Judge::Liveness,
        invariant: Invariant::TimePasses,
        role: Role::Node,
    };
    let detail = end.to_string();
    (*end != RunEnd::Finished).then_some(Violation {
        identity,
        operation: None,
        detail,
    })
}

fn facts_of(plan: &Plan, world: &World, healed_at: Instant, finals_count: usize) -> RunFacts {
    let knobs = &plan.knobs.world;
    let struck = struck(plan, world);
    let paused = paused_longest(&struck);
    RunFacts {
        sync_longest: cluster::sync_longest(knobs) + paused,
        late_longest: cluster::late_longest(knobs) + paused,
        // Sessions admit a request at most once, and only in the incarnation that it was sent to.
        packet_life_longest: Duration::ZERO,
        requests_may_repeat: false,
        liveness_bound: cluster::liveness_bound(plan),
        finals_count,
        ended_at: world.now(),
        clock: clock_of(plan, &struck, healed_at),
    }
}

/// The faults of the plan that struck, and when.
fn struck<'a>(plan: &'a Plan, world: &World) -> Vec<(Instant, &'a FaultKind)> {
    let struck = world.events().into_iter().filter_map(|(at, event)| {
        let WorldEvent::Struck { fault } = event else {
            return None;
        };
        plan.faults.get(fault).map(|fault| (at, &fault.kind))
    });
    struck.collect()
}

/// By how much more a task may be late, and the answer of a request, when the node is paused so often.
fn paused_longest(struck: &[(Instant, &FaultKind)]) -> Duration {
    let pauses = struck.iter().map(|(_, kind)| match kind {
        FaultKind::Pause { duration_millis } => Duration::from_millis((*duration_millis).into()),
        _ => Duration::ZERO,
    });
    pauses.sum()
}

/// The node's clock: as its knobs set it, and with the jumps and drifts that struck it. No drift outlives
/// the healing.
fn clock_of(plan: &Plan, struck: &[(Instant, &FaultKind)], healed_at: Instant) -> NodeClock {
    let knobs = &plan.knobs.world;
    let jumps = struck.iter().filter_map(|(at, kind)| match kind {
        FaultKind::ClockJump { millis } => Some((*at, i64::from(*millis) * 1_000)),
        _ => None,
    });
    let mut drifts: Vec<(Instant, i64)> = Vec::new();
    let mut ends_at: Option<Instant> = None;
    for (at, kind) in struck {
        let FaultKind::ClockDrift {
            ppm,
            duration_millis,
        } = kind
        else {
            continue;
        };
        // One that begins before another ends takes its place.
        drifts.extend(ends_at.filter(|end| end <= at).map(|end| (end, 0)));
        drifts.push((*at, i64::from(*ppm)));
        let end = at.after(Duration::from_millis((*duration_millis).into()));
        ends_at = Some(end.min(healed_at));
    }
    drifts.extend(ends_at.map(|end| (end, 0)));
    NodeClock {
        offset_micros: knobs.clock_offset_millis * 1_000,
        drift_ppm: i64::from(knobs.clock_drift_ppm),
        jumps: jumps.collect(),
        drifts,
    }
}

fn statistics_of(world: &World, history: &History, events_count: u64) -> RunStatistics {
    let mut statistics = RunStatistics {
        events_count,
        polls_count: world.statistics().polls_count,
        ready_sum: world.statistics().ready_sum,
        simulated: world.now().since(Instant::ZERO),
        ..RunStatistics::default()
    };
    for event in history.events() {
        match event {
            Event::Invoked { .. } => statistics.operations_count += 1,
            Event::Crashed { .. } | Event::Exited { .. } | Event::Panicked { .. } => {
                statistics.crashes_count += 1;
            }
            _ => {}
        }
    }
    let marks = world.marks();
    statistics.faults_count = marks
        .iter()
        .filter(|(mark, _)| mark.starts_with("fault."))
        .map(|(_, count)| count)
        .sum();
    statistics
}
