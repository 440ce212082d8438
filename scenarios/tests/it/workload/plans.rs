//! Invariants of the scenarios' plans: small, of many kinds, crashed at least once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cenotaph::plan::{FaultKind, Operation, Plan};
use cenotaph::workload::{final_operations, find, list};
use cenotaph_snapshots::golden;

const SCENARIO: &str = "crash-without-drain";

fn plans(count: u64) -> impl Iterator<Item = Plan> {
    (0..count).map(|seed| Plan::from_seed(SCENARIO, seed).expect("the scenario is there"))
}

/// The first word of what a value prints as, for counting.
fn word(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_scenario_is_listed_with_one_line() {
    let text: String = list()
        .iter()
        .map(|one| format!("{}: {}\n", one.name, one.summary))
        .collect();
    golden!(
        "scenarios/workload",
        "list",
        "The names that commands take.",
        text
    );
    assert_eq!(
        find("no-such").unwrap_err().to_string(),
        "there is no scenario `no-such`; there are: crash-without-drain"
    );
}

#[test]
fn plans_are_small_and_of_many_kinds() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for plan in plans(200) {
        let operations: usize = plan.clients.iter().map(Vec::len).sum();
        assert!((30..=450).contains(&operations), "{operations} operations");
        let mut count = |name: String| *counts.entry(name).or_default() += 1;
        count(format!("mode {}", word(&plan.knobs.engine.commitlog_mode)));
        count(format!("clients {}", plan.clients.len()));
        count(format!("operations {:>3}..", operations / 50 * 50));
        for operation in plan.clients.iter().flatten() {
            count(format!("operation {}", word(operation)));
        }
        for fault in &plan.faults {
            count(format!(
                "fault {} at {}",
                word(&fault.kind),
                word(&fault.at)
            ));
        }
        let only_crashes = plan
            .faults
            .iter()
            .all(|fault| matches!(fault.kind, FaultKind::Crash { .. }));
        let loses = plan.knobs.world.network_loss.numerator() > 0;
        let doubles = plan.knobs.world.network_duplication.numerator() > 0;
        count(format!(
            "run with crashes only: {}",
            only_crashes && !loses && !doubles
        ));
    }
    let mut text = String::new();
    for (name, count) in counts {
        writeln!(text, "{count:>6} {name}").unwrap();
    }
    golden!(
        "scenarios/workload",
        "two_hundred_seeds",
        "What 200 plans of one scenario hold.",
        text
    );
}

#[test]
fn every_run_is_crashed_and_creates_tables() {
    for plan in plans(200) {
        let crashes = plan
            .faults
            .iter()
            .filter(|fault| matches!(fault.kind, FaultKind::Crash { .. }));
        assert!((1..=3).contains(&crashes.count()));
        let is_create = |operation: &&Operation| matches!(operation, Operation::CreateTable { .. });
        assert!(
            plan.clients[0]
                .iter()
                .any(|operation| is_create(&operation))
        );
    }
}

#[test]
fn the_last_client_reads_every_written_partition_both_ways() {
    for plan in plans(20) {
        let finals = final_operations(&plan);
        assert_eq!(finals[0], Operation::Describe);
        for write in plan
            .clients
            .iter()
            .flatten()
            .filter(|operation| operation.is_write())
        {
            let is_same = |read: &&Operation| {
                read.table() == write.table() && read.partition() == write.partition()
            };
            assert!(
                (1..=2).contains(&finals.iter().filter(is_same).count()),
                "{write}"
            );
        }
    }
}
