//! Invariants of the model against a naive node: an honest one is never objected to, and each
//! defect is found.

use std::collections::BTreeMap;

use cenotaph::plan::Plan;

use crate::support::honest::{Defect, run};

fn plan(seed: u64) -> Plan {
    Plan::from_seed("crash-without-drain", seed).expect("the scenario is there")
}

/// How many of the seeds' runs fail, by identity.
fn failures(defect: Defect, seeds: std::ops::Range<u64>) -> BTreeMap<String, u32> {
    let mut failures = BTreeMap::new();
    for seed in seeds {
        let (_, verdict) = run(plan(seed), defect, seed);
        if let Some(identity) = verdict.identity() {
            *failures.entry(identity.to_string()).or_default() += 1;
        }
    }
    failures
}

/// Timeouts, lost answers, late requests and crashes leave many outcomes unknown: a model that
/// counted an unknown answer as "not done", or as "done", would object here.
#[test]
fn an_honest_node_is_never_objected_to() {
    for seed in 0..300 {
        let (history, verdict) = run(plan(seed), Defect::None, seed);
        assert!(
            verdict.holds(),
            "seed {seed}: {}\n{history}",
            verdict.violations[0]
        );
    }
}

/// Each defect is found, and by the judge whose matter it is.
#[test]
fn every_defect_of_a_node_is_found() {
    for (defect, identity) in [
        (
            Defect::LosesAcknowledged,
            "durability/acknowledged-survives/row",
        ),
        (
            Defect::ForgetsDeletions,
            "resurrection/deleted-stays-deleted/row",
        ),
        (
            Defect::BringsBackLost,
            "resurrection/lost-stays-lost/operation",
        ),
        (Defect::ForgetsTable, "schema/tables-survive/table"),
        (
            Defect::KeepsDropped,
            "resurrection/dropped-stays-gone/operation",
        ),
        (
            Defect::ExclusiveEnds,
            "resurrection/deleted-stays-deleted/row",
        ),
    ] {
        let failures = failures(defect, 0..200);
        assert!(
            failures.contains_key(identity),
            "{defect:?} is found only as {failures:?}"
        );
    }
}
