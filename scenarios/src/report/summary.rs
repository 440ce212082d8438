//! Steps of telling a sweep in one screen: verdict, sums, faults, marks; the rates apart, since
//! they alone differ from one time to the next.

use std::fmt::Write as _;

use super::numbers::{counted, crashes, ratio, seconds};
use crate::explore::{Cost, Shard, Sweep, Tally};

/// A sweep without its failures and its rates.
#[must_use]
pub fn summary(sweep: &Sweep) -> String {
    let tally = &sweep.tally;
    let mut text = String::new();
    let shard = match sweep.shard {
        Shard::WHOLE => String::new(),
        shard => format!(", shard {shard}"),
    };
    let bug = sweep
        .bug
        .as_ref()
        .map(|bug| format!(", planted bug {bug}"))
        .unwrap_or_default();
    let names = sweep.scenarios.join(" ");
    let _ = writeln!(
        text,
        "{names}, seeds {}{shard}{bug}: {}",
        sweep.seeds,
        verdict(sweep)
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    let again = counted(tally.processes_count, "seed");
    let runs = counted(tally.runs_count, "run");
    line(
        "runs",
        format!(
            "{runs} of {}; {again} again in another process",
            counted(tally.seeds_count, "seed")
        ),
    );
    line(
        "work",
        format!(
            "{}, {} judged, {}, {}",
            counted(tally.operations_count, "operation"),
            counted(tally.answers_count, "answer"),
            counted(tally.events_count, "event"),
            crashes(tally.crashes_count)
        ),
    );
    line("time", format!("{} virtual", seconds(tally.simulated)));
    let ready = ratio(u128::from(tally.ready_sum), u128::from(tally.polls_count));
    line("choices", format!("{ready} tasks ready at a pick"));
    line("faults", faults(tally));
    let reached = counted(tally.marks.iter().count() as u64, "mark");
    match sweep.marks_missing.is_empty() {
        true => line("marks", format!("{reached} reached")),
        false => line(
            "marks",
            format!(
                "{reached} reached; no run reached {}",
                sweep.marks_missing.join(", ")
            ),
        ),
    }
    if !sweep.faults_missing.is_empty() {
        line(
            "WRONG",
            format!(
                "planned and never struck: {}",
                sweep.faults_missing.join(", ")
            ),
        );
    }
    for crash in &sweep.crashes {
        let (scenario, seed) = (crash.scenario, crash.seed);
        line(
            "WRONG",
            format!(
                "the harness panicked at {scenario}, seed {seed}: {}",
                crash.message
            ),
        );
    }
    text
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
