//! Invariants of runs: a function of the plan alone; nothing is left behind; watching changes nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use cenotaph::cluster::clients_longest;
use cenotaph::history::{Answer, Event, Outcome as Ended};
use cenotaph::plan::{
    Anchor, CrashKind, Fault, FaultKind, Knobs, Operation, OperationRef, Plan, Scalar, TableNumber,
    WorldKnobs,
};
use cenotaph::run::{Outcome, RunOptions, run};
use cenotaph_sim::trace::{Timeline, watch};
use cenotaph_sim::world::World;
use cenotaph_snapshots::golden;

use crate::support::ops::{
    T0, V0, compact, create, create_with_grace, delete_row, insert, read, shape,
};

const SCENARIO: &str = "crash-without-drain";

fn plan(seed: u64) -> Plan {
    Plan::from_seed(SCENARIO, seed).expect("the scenario exists")
}

fn outcome(seed: u64) -> Outcome {
    run(&plan(seed), &RunOptions::default())
}

#[test]
fn seeds_hold_and_are_the_same_run_on_another_thread() {
    for seed in 100..140 {
        let here = outcome(seed);
        assert!(
            here.verdict.holds(),
            "seed {seed}: {:?}",
            here.verdict.violations
        );
        #[expect(
            clippy::disallowed_methods,
            reason = "the test is about another thread"
        )]
        let there = std::thread::spawn(move || outcome(seed))
            .join()
            .expect("it ends");
        assert_eq!(here.fingerprint, there.fingerprint, "seed {seed}");
        assert_eq!(here.history, there.history, "seed {seed}");
    }
}

#[test]
fn a_watched_run_is_the_same_run_and_its_timeline_reads_as_a_story() {
    let timeline = Timeline::new();
    let options = RunOptions {
        observed: true,
        window: Some(0..50),
    };
    let mut short = plan(4);
    short.clients.truncate(2);
    for session in &mut short.clients {
        session.truncate(8);
    }
    short.faults = vec![Fault {
        at: Anchor::Operation(OperationRef {
            client: 0,
            index: 4,
        }),
        kind: FaultKind::Crash {
            kind: CrashKind::Power,
            restart_after_millis: 20,
        },
    }];
    let watched = watch(timeline.layer(tracing::Level::INFO), || {
        run(&short, &options)
    });
    let alone = run(&short, &RunOptions::default());
    assert_eq!(watched.fingerprint, alone.fingerprint);
    assert_eq!(watched.recorded.len(), 50);
    golden!(
        "scenarios/run",
        "timeline_of_a_short_run",
        "The first operations of one seed: boots, statements, answers, crashes, with virtual time and place.",
        timeline.render()
    );
}

#[test]
fn runs_leave_no_world_and_no_page_behind() {
    for seed in 0..60 {
        let held = outcome(seed).verdict.holds();
        assert!(held, "seed {seed}");
        assert_eq!(World::alive_count(), 0, "seed {seed}");
    }
    assert_eq!(cenotaph_sim::disk::pages_alive(), 0);
}

/// Planted bugs that show within some dozen seeds, and where.
const FOUND_AT_ONCE: [(&str, &str); 17] = [
    ("P01", "tombstone-merge"),
    ("P03", "crash-without-drain"),
    ("P05", "crash-without-drain"),
    ("P07", "tombstone-merge"),
    ("P08", "tombstone-merge"),
    ("P09", "flush-coalescing"),
    ("P11", "crash-without-drain"),
    ("P21", "tombstone-merge"),
    ("P25", "tombstone-merge"),
    ("P30", "crash-without-drain"),
    ("P36", "crash-without-drain"),
    ("C01", "tombstone-merge"),
    ("C02", "flush-coalescing"),
    ("C04", "tombstone-merge"),
    ("C05", "tombstone-merge"),
    ("C06", "tombstone-merge"),
    ("C07", "tombstone-merge"),
];

#[test]
fn each_planted_bug_is_seen_by_a_judge_and_its_twin_without_the_bug_holds() {
    for (bug, scenario) in FOUND_AT_ONCE {
        let plan = |seed| Plan::from_seed(scenario, seed).expect("the scenario exists");
        let found = (0..1_000).find(|seed| {
            let mut planted = plan(*seed);
            planted.bug = Some(bug.to_owned());
            !run(&planted, &RunOptions::default()).verdict.holds()
        });
        let seed = found.unwrap_or_else(|| panic!("{bug} is not found in 1,000 seeds"));
        let twin = run(&plan(seed), &RunOptions::default());
        assert!(twin.verdict.holds(), "seed {seed} fails without {bug}");
    }
}

#[test]
fn a_drained_node_ends_in_peace_and_its_clients_go_on_with_the_next() {
    let mut drained = Plan {
        clients: vec![vec![
            create(),
            insert(1, &[(V0, "a")], 5),
            Operation::Drain,
            insert(2, &[(V0, "b")], 5),
            read(),
        ]],
        faults: Vec::new(),
        ..plan(0)
    };
    drained.knobs.world = WorldKnobs::default();
    let outcome = run(&drained, &RunOptions::default());
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    let timeline = outcome.history.timeline();
    let own = timeline
        .records
        .iter()
        .filter(|record| record.name.client == 0);
    for record in own {
        let is_ok = matches!(record.outcome, Some(Ended::Ok(_)));
        assert!(is_ok, "{record:?}");
    }
    let exit = |event: &Event| matches!(event, Event::Exited { error: None, .. });
    assert!(outcome.history.events().iter().any(exit));
    assert_eq!(timeline.incarnations.len(), 2);
    assert_eq!(outcome.marks.count("machine.exit.clean"), 1);
}

/// What became of the operations of the last reader, each of which has to be executed.
fn read_back(plan: &Plan, outcome: &Outcome) -> Vec<Ended> {
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    let reader = u16::try_from(plan.clients.len()).expect("at most 16");
    let timeline = outcome.history.timeline();
    let finals = timeline
        .records
        .iter()
        .filter(|record| record.name.client == reader);
    let ended: Vec<Ended> = finals
        .map(|record| record.outcome.expect("it ended").clone())
        .collect();
    assert_eq!(ended.len(), outcome.facts.finals_count);
    ended
}

/// A table, a write and a drain.
fn drained() -> Plan {
    let mut drained = Plan {
        clients: vec![vec![create(), insert(1, &[(V0, "a")], 5), Operation::Drain]],
        faults: Vec::new(),
        ..plan(0)
    };
    drained.knobs.world = WorldKnobs::default();
    drained
}

fn assert_reads_show_a_write(plan: &Plan, tables_count: usize) -> Outcome {
    let outcome = run(plan, &RunOptions::default());
    let ended = read_back(plan, &outcome);
    let shows =
        |ended: &&Ended| matches!(ended, Ended::Ok(Answer::Rows(seen)) if seen.rows.len() == 1);
    // Forward and back.
    let reads_count = 2 * tables_count;
    assert_eq!(ended.iter().filter(shows).count(), reads_count, "{ended:?}");
    outcome
}

#[test]
fn the_last_reads_wait_for_a_drain_however_slow() {
    let mut slow = drained();
    // More tables, so that there is more to flush.
    let others = (1..6).map(|number| Operation::CreateTable {
        table: TableNumber(number),
        shape: shape(),
    });
    let drain = slow.clients[0].pop();
    slow.clients[0].extend(others);
    let own = |number| Operation::Insert {
        table: TableNumber(number),
        partition: 9,
        row: Some(vec![Scalar::Integer(1)]),
        cells: BTreeMap::new(),
        timestamp: 5,
        ttl_seconds: None,
    };
    slow.clients[0].extend((1..6).map(own));
    slow.clients[0].extend(drain);
    slow.knobs.world.disk_latency_micros_max = 20_000;
    let outcome = assert_reads_show_a_write(&slow, 6);
    let (mut healed_at, mut exited_at) = (None, None);
    for event in outcome.history.events() {
        match event {
            Event::Healed { at } => healed_at = Some(*at),
            Event::Exited { at, .. } => exited_at = Some(*at),
            _ => {}
        }
    }
    assert!(healed_at < exited_at, "the drain outlasts the settling");
}

#[test]
fn the_last_reads_ask_for_another_drain_when_one_failed() {
    let mut failed = drained();
    failed.faults = vec![Fault {
        at: "n1/1/data/sync/3".parse().expect("an anchor"),
        kind: FaultKind::DiskError,
    }];
    let outcome = assert_reads_show_a_write(&failed, 1);
    assert_eq!(outcome.statistics.faults_count, 1);
    let refused = outcome.history.timeline().records.iter().any(|record| {
        let is_drain = *record.what == Operation::Drain;
        is_drain && matches!(record.outcome, Some(Ended::Unknown { .. }))
    });
    assert!(refused, "the drain of the plan failed");
}

#[test]
fn hours_of_pauses_are_no_hang() {
    let mut idle = drained();
    let pause = Operation::Pause { millis: 60_000 };
    idle.clients.push(vec![pause; 240]);
    let outcome = run(&idle, &RunOptions::default());
    read_back(&idle, &outcome);
    let hours = Duration::from_secs(4 * 3_600);
    assert!(outcome.statistics.simulated >= hours);
    // What would hang for long after them is a hang.
    let longest = clients_longest(&idle);
    assert!((hours..hours + Duration::from_secs(1)).contains(&longest));
}

#[test]
fn what_compactions_forget_is_counted() {
    let mut forgetful = Plan {
        clients: vec![vec![
            create_with_grace(0),
            insert(1, &[(V0, "a")], 5),
            delete_row(1, 6),
            Operation::Flush { table: T0 },
            Operation::Pause { millis: 2_000 },
            compact(),
        ]],
        faults: Vec::new(),
        ..plan(0)
    };
    forgetful.knobs = Knobs::default();
    let outcome = run(&forgetful, &RunOptions::default());
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    assert_eq!(outcome.statistics.stones_purged_count, 1);
}

#[test]
fn the_rows_of_system_schema_and_the_schema_are_the_same_lines() {
    let mut seen_count = 0;
    for seed in 0..20 {
        let plan = Plan::from_seed("flush-coalescing", seed).expect("the scenario exists");
        let outcome = run(&plan, &RunOptions::default());
        for record in outcome.history.timeline().records {
            if let Some(Ended::Ok(Answer::SystemSchema(seen))) = record.outcome {
                assert_eq!(seen.rows, seen.schema, "seed {seed}: {}", record.name);
                seen_count += usize::from(!seen.rows.is_empty());
            }
        }
    }
    assert!(seen_count >= 20, "{seen_count} reads of some rows");
}
