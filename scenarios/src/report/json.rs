//! Byte layout of reports for programs: one object a line, each with its `type`; keys do not change
//! their meaning.

use serde_json::{Value, json};

use crate::explore::{Cost, Failure, Hunt, Mismatch, Sweep, verdict_word};
use crate::plan::Plan;
use crate::run::Outcome;
use crate::shrink::Size;

/// A run. `seed` is the one that makes the plan; none when somebody wrote or changed it.
#[must_use]
pub fn outcome_json(plan: &Plan, outcome: &Outcome, seed: Option<u64>) -> Value {
    let statistics = &outcome.statistics;
    let checkpoints = outcome
        .fingerprint
        .checkpoints()
        .iter()
        .map(|state| format!("{state:016x}"));
    let violations = outcome.verdict.violations.iter().map(|violation| {
        json!({
            "identity": violation.identity.to_string(),
            "operation": violation.operation.map(|operation| operation.to_string()),
            "detail": violation.detail,
        })
    });
    let waiting = outcome.faults_waiting.iter();
    let waiting = waiting.map(|fault| format!("{} at {}", fault.kind.name(), fault.at));
    let mut object = json!({
        "type": "run",
        "scenario": plan.scenario,
        "seed": seed,
        "run_key": plan.run_key,
        "bug": plan.bug,
        "plan": plan.hash().to_string(),
        "size": size_json(&Size::of(plan)),
        "fingerprint": outcome.fingerprint.to_string(),
        "checkpoints": checkpoints.collect::<Vec<_>>(),
        "verdict": verdict_word(&outcome.verdict),
        "violations": violations.collect::<Vec<_>>(),
        "answers": outcome.verdict.answers_count,
        "operations": statistics.operations_count,
        "events": statistics.events_count,
        "crashes": statistics.crashes_count,
        "tombstones_purged": statistics.stones_purged_count,
        "faults_struck": statistics.faults_count,
        "faults_waiting": waiting.collect::<Vec<_>>(),
        "simulated_micros": micros(statistics.simulated),
    });
    if !outcome.recorded.is_empty() {
        let recorded = outcome.recorded.iter().map(ToString::to_string);
        object["recorded"] = recorded.collect::<Vec<_>>().into();
    }
    object
}

/// A failure of a sweep, with the file that holds its plan.
#[must_use]
pub fn failure_json(failure: &Failure, file: Option<&str>, commit: &str) -> Value {
    let shrunk = failure.shrunk.as_ref();
    let plan = shrunk.map_or(&failure.plan, |shrunk| &shrunk.plan);
    let group = &failure.group;
    json!({
        "type": "failure",
        "scenario": group.scenario,
        "seed": group.seed,
        "commit": commit,
        "bug": plan.bug,
        "identity": group.identity.to_string(),
        "seeds": group.seeds_count,
        "file": file,
        "plan": plan.hash().to_string(),
        "size": size_json(&Size::of(plan)),
        "size_before": size_json(&Size::of(&failure.plan)),
        "shrink_runs": shrunk.map(|shrunk| shrunk.runs_count),
        "minimal": shrunk.map(|shrunk| shrunk.is_minimal),
        "detail": shrunk.and_then(|shrunk| shrunk.outcome.verdict.violations.first()).map(|first| first.detail.clone()),
    })
}

/// A run that was not the same when repeated.
#[must_use]
pub fn mismatch_json(mismatch: &Mismatch, commit: &str) -> Value {
    json!({
        "type": "mismatch",
        "scenario": mismatch.scenario,
        "seed": mismatch.seed,
        "bug": mismatch.bug,
        "commit": commit,
        "again": mismatch.again.to_string(),
        "first": mismatch.first,
        "second": mismatch.second,
        "difference": mismatch.difference,
    })
}

/// A sweep.
#[must_use]
pub fn sweep_json(sweep: &Sweep, commit: &str) -> Value {
    let tally = &sweep.tally;
    let faults = tally.faults.iter();
    let faults = faults.map(|(kind, count)| {
        let counts = json!({ "planned": count.planned_count, "struck": count.struck_count });
        ((*kind).to_owned(), counts)
    });
    let operations = tally.operations.iter();
    let operations = operations.map(|(kind, count)| {
        let counts = json!({ "planned": count.planned_count, "done": count.done_count });
        ((*kind).to_owned(), counts)
    });
    let crashes = sweep.crashes.iter().map(
        |crash| json!({ "scenario": crash.scenario, "seed": crash.seed, "message": crash.message }),
    );
    let Cost { wall, cpu } = sweep.cost;
    json!({
        "type": "sweep",
        "scenarios": sweep.scenarios,
        "seeds": sweep.seeds.to_string(),
        "shard": sweep.shard.to_string(),
        "commit": commit,
        "bug": sweep.bug,
        "holds": sweep.holds(),
        "seeds_count": tally.seeds_count,
        "runs": tally.runs_count,
        "processes": tally.processes_count,
        "operations": tally.operations_count,
        "answers": tally.answers_count,
        "events": tally.events_count,
        "fingerprint": format!("{:016x}", tally.fingerprint),
        "crashes": tally.crashes_count,
        "tombstones_purged": tally.stones_purged_count,
        "polls": tally.polls_count,
        "ready_sum": tally.ready_sum,
        "simulated_micros": micros(tally.simulated),
        "faults": faults.collect::<serde_json::Map<_, _>>(),
        "faults_missing": sweep.faults_missing,
        "operation_kinds": operations.collect::<serde_json::Map<_, _>>(),
        "operations_missing": sweep.operations_missing,
        "marks": tally.marks.iter().map(|(mark, count)| (mark.to_owned(), count.into())).collect::<serde_json::Map<_, _>>(),
        "marks_missing": sweep.marks_missing,
        "failures": sweep.failures.len(),
        "mismatches": sweep.mismatches.len(),
        "panics": crashes.collect::<Vec<_>>(),
        "wall_micros": micros(wall),
        "cpu_micros": micros(cpu),
    })
}

/// A hunt for a planted bug, with the file that holds the plan that shows it.
#[must_use]
pub fn hunt_json(hunt: &Hunt, file: Option<&str>) -> Value {
    let found = hunt.found.as_ref();
    let plan = found.map(|found| {
        found
            .shrunk
            .as_ref()
            .map_or(&found.plan, |shrunk| &shrunk.plan)
    });
    json!({
        "type": "planted",
        "bug": hunt.bug,
        "found": found.is_some(),
        "identity": found.map(|found| found.identity.to_string()),
        "scenario": found.map(|found| found.scenario),
        "seed": found.map(|found| found.seed),
        "seeds": hunt.seeds_count,
        "innocent": hunt.innocent_count,
        "cpu_micros": micros(hunt.cpu),
        "size": plan.map(|plan| size_json(&Size::of(plan))),
        "file": file,
    })
}

fn size_json(size: &Size) -> Value {
    json!({
        "clients": size.clients_count,
        "operations": size.operations_count,
        "faults": size.faults_count,
        "knobs": size.knobs_count,
    })
}

fn micros(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
