//! Vocabulary of the real thing: the scenarios of this program, its generator and its runs.

use crate::explore::{Entry, Harness};
use crate::plan::Plan;
use crate::run;
use crate::workload;

/// Marks that every scenario has to reach.
const MARKS: &[&str] = &["machine.crash.kill", "machine.crash.panic", "machine.crash.power"];

pub(super) fn entries() -> Vec<Entry> {
    let scenarios = workload::list().iter();
    scenarios
        .map(|scenario| Entry { name: scenario.name, summary: scenario.summary, marks: MARKS })
        .collect()
}

pub(super) fn harness(entries: &[Entry]) -> Harness<'_> {
    Harness { scenarios: entries, plan: &plan, run: &run::run }
}

fn plan(scenario: &str, seed: u64) -> Plan {
    Plan::from_seed(scenario, seed).expect("only scenarios of the list are asked for")
}
