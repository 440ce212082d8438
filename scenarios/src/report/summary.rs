//! Steps of telling a sweep in one screen: verdict, sums, faults, marks; the rates apart, since
//! they alone differ from one time to the next.

use std::fmt::Write as _;

use super::numbers::{counted, crashes, ratio, seconds};
use crate::explore::{Cost, Crash, Shard, Sweep, Tally};

/// A sweep without its failures and its rates.
#[must_use]
pub fn summary(sweep: &Sweep) -> String {
    let shard = match sweep.shard {
        Shard::WHOLE => String::new(),
        shard => format!(", shard {shard}"),
    };
    let bug = sweep.bug.as_ref().map(|bug| format!(", planted bug {bug}"));
    let (names, seeds) = (sweep.scenarios.join(" "), sweep.seeds);
    let bug = bug.unwrap_or_default();
    let mut text = format!("{names}, seeds {seeds}{shard}{bug}: {}\n", verdict(sweep));
    for (name, value) in lines(sweep) {
        let _ = writeln!(text, "  {name:<12}{value}");
    }
    text
}

fn lines(sweep: &Sweep) -> Vec<(&'static str, String)> {
    let tally = &sweep.tally;
    let runs = counted(tally.runs_count, "run");
    let seeds = counted(tally.seeds_count, "seed");
    let again = counted(tally.processes_count, "seed");
    let operations = counted(tally.operations_count, "operation");
    let answers = counted(tally.answers_count, "answer");
    let events = counted(tally.events_count, "event");
    let crashed = crashes(tally.crashes_count);
    let purged = counted(tally.stones_purged_count, "tombstone");
    let ready = ratio(u128::from(tally.ready_sum), u128::from(tally.polls_count));
    let mut marks = counted(tally.marks.iter().count() as u64, "mark") + " reached";
    if !sweep.marks_missing.is_empty() {
        let _ = write!(marks, "; no run reached {}", sweep.marks_missing.join(", "));
    }
    let mut lines = vec![
        (
            "runs",
            format!(
                "{runs} of {seeds}; {again} again in another process; fingerprint of all {:016x}",
                tally.fingerprint
            ),
        ),
        (
            "work",
            format!("{operations}, {answers} judged, {events}, {crashed}, {purged} purged"),
        ),
        ("time", format!("{} virtual", seconds(tally.simulated))),
        ("choices", format!("{ready} tasks ready at a pick")),
        ("faults", faults(tally)),
        ("marks", marks),
    ];
    if !sweep.faults_missing.is_empty() {
        let kinds = sweep.faults_missing.join(", ");
        lines.push(("WRONG", format!("enabled and never struck: {kinds}")));
    }
    if !sweep.operations_missing.is_empty() {
        let kinds = sweep.operations_missing.join(", ");
        lines.push(("WRONG", format!("enabled and never done: {kinds}")));
    }
    lines.extend(sweep.crashes.iter().map(|crash| {
        let Crash {
            scenario,
            seed,
            message,
        } = crash;
        (
            "WRONG",
            format!("the harness panicked at {scenario}, seed {seed}: {message}"),
        )
    }));
    lines
}

fn verdict(sweep: &Sweep) -> String {
    if sweep.holds() {
        return "all held".to_owned();
    }
    let failing: u64 = sweep
        .failures
        .iter()
        .map(|failure| failure.group.seeds_count)
        .sum();
    let ways = counted(sweep.failures.len() as u64, "way");
    let mut parts = Vec::new();
    if failing > 0 {
        parts.push(format!("{} failed in {ways}", counted(failing, "seed")));
    }
    if !sweep.mismatches.is_empty() {
        parts.push(format!(
            "{} not the same again",
            counted(sweep.mismatches.len() as u64, "run")
        ));
    }
    if !sweep.crashes.is_empty() {
        parts.push(format!(
            "{} of the harness",
            counted(sweep.crashes.len() as u64, "panic")
        ));
    }
    if !sweep.faults_missing.is_empty() {
        let kinds = counted(sweep.faults_missing.len() as u64, "kind");
        parts.push(format!("{kinds} of fault never struck"));
    }
    if !sweep.operations_missing.is_empty() {
        let kinds = counted(sweep.operations_missing.len() as u64, "kind");
        parts.push(format!("{kinds} of operation never done"));
    }
    parts.join("; ")
}

/// `crash kill 12/14`: struck, of planned.
fn faults(tally: &Tally) -> String {
    if tally.faults.is_empty() {
        return "none planned".to_owned();
    }
    let kinds = tally.faults.iter();
    let kinds =
        kinds.map(|(kind, count)| format!("{kind} {}/{}", count.struck_count, count.planned_count));
    kinds.collect::<Vec<_>>().join(", ")
}

/// What a sweep took, and how much it did a core-second.
#[must_use]
pub fn rates(tally: &Tally, cost: Cost) -> String {
    let micros = cost.cpu.as_micros();
    let rate = |count: u64| ratio(u128::from(count) * 1_000_000, micros);
    format!(
        "  rates       {} runs, {} operations, {} answers judged, {} events a core-second\n  \
         cost        {} on the wall, {} on the cores; {} s simulated a core-second, {} a second\n",
        rate(tally.runs_count),
        rate(tally.operations_count),
        rate(tally.answers_count),
        rate(tally.events_count),
        seconds(cost.wall),
        seconds(cost.cpu),
        ratio(tally.simulated.as_micros(), micros),
        ratio(tally.simulated.as_micros(), cost.wall.as_micros()),
    )
}
