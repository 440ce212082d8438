//! Invariants of the scenarios' plans: small, of many kinds, crashed at least once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use cenotaph::plan::{
    Change, ColumnType, DiskProfile, DiskTear, FaultKind, Operation, Plan, TaskSchedule, Value,
};
use cenotaph::workload::{final_operations, find, list};
use cenotaph_engine::planted::Plant;
use cenotaph_sim::disk::Profile;
use cenotaph_snapshots::golden;

const CRASHES: &str = "crash-without-drain";
const MERGES: &str = "tombstone-merge";
const FLUSHES: &str = "flush-coalescing";

fn plans(scenario: &str, count: u64) -> impl Iterator<Item = Plan> {
    (0..count).map(move |seed| Plan::from_seed(scenario, seed).expect("the scenario is there"))
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
        "there is no scenario `no-such`; there are: crash-without-drain, flush-coalescing, \
         tombstone-merge"
    );
}

#[test]
fn scenarios_draw_the_kinds_that_they_say_and_no_others() {
    for scenario in list() {
        let (mut faults, mut operations) = (BTreeSet::new(), BTreeSet::new());
        for plan in plans(scenario.name, 2_000) {
            assert_eq!(plan.validate(scenario.name), Ok(()));
            faults.extend(plan.faults.iter().map(|fault| fault.kind.name()));
            operations.extend(plan.clients.iter().flatten().map(Operation::name));
        }
        let said = |kinds: &[&'static str]| kinds.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(faults, said(scenario.faults), "{}", scenario.name);
        assert_eq!(operations, said(scenario.operations), "{}", scenario.name);
    }
}

#[test]
fn a_run_has_a_part_of_the_kinds_with_weights_of_its_own() {
    for scenario in list() {
        let kinds: BTreeSet<BTreeSet<&str>> = plans(scenario.name, 200)
            .map(|plan| plan.clients.iter().flatten().map(Operation::name).collect())
            .collect();
        assert!(kinds.len() > 20, "{} of {}", kinds.len(), scenario.name);
        // The commonest operation is not the same one everywhere.
        let commonest: BTreeSet<&str> = plans(scenario.name, 200)
            .filter_map(|plan| {
                let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
                for operation in plan.clients.iter().flatten() {
                    *counts.entry(operation.name()).or_default() += 1;
                }
                counts
                    .into_iter()
                    .max_by_key(|(_, count)| *count)
                    .map(|(name, _)| name)
            })
            .collect();
        assert!(commonest.len() > 4, "{commonest:?} of {}", scenario.name);
    }
}

#[test]
fn operations_are_named_as_in_their_plans() {
    for plan in plans(MERGES, 50).chain(plans(FLUSHES, 50)) {
        for operation in plan.clients.iter().flatten() {
            let json = serde_json::to_value(operation).expect("operations are JSON");
            let name = match &json {
                serde_json::Value::String(name) => name.clone(),
                other => other
                    .as_object()
                    .expect("an object")
                    .keys()
                    .next()
                    .expect("one")
                    .clone(),
            };
            assert_eq!(operation.name(), name);
        }
    }
}

#[test]
fn every_planted_bug_is_some_scenarios_to_find() {
    for plant in Plant::ALL {
        let homes = list().iter().filter(|one| one.bugs.contains(&plant));
        assert!(homes.count() > 0, "{plant} is nobody's to find");
    }
}

/// What the operation has to do with columns of many elements.
fn of_collections(operation: &Operation) -> Vec<&'static str> {
    let is_whole = |value: &Value| value.collection().is_some();
    match operation {
        Operation::CreateTable { shape, .. } => {
            let mut types = shape.columns().map(|(_, column_type)| column_type);
            let has = types.any(|column_type| !matches!(column_type, ColumnType::Scalar(_)));
            Vec::from_iter(has.then_some("of a table"))
        }
        Operation::Insert { cells, .. } => {
            Vec::from_iter(cells.values().any(is_whole).then_some("set whole"))
        }
        Operation::Update {
            cells, elements, ..
        } => {
            let whole = cells.values().any(is_whole).then_some("set whole");
            let changes = elements.values().map(|change| match change {
                Change::Add(_) => "added to",
                Change::Remove(_) => "removed from",
                Change::Fields(_) => "with fields set",
            });
            changes.chain(whole).collect()
        }
        Operation::DeleteCells { elements, .. } => {
            Vec::from_iter((!elements.is_empty()).then_some("with entries deleted"))
        }
        _ => Vec::new(),
    }
}

/// What plans of a scenario hold, counted.
fn contents(scenario: &str, sizes: RangeInclusive<usize>) -> String {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for plan in plans(scenario, 200) {
        let operations: usize = plan.clients.iter().map(Vec::len).sum();
        assert!(sizes.contains(&operations), "{operations} operations");
        let mut count = |name: String| *counts.entry(name).or_default() += 1;
        let engine = &plan.knobs.engine;
        count(format!("mode {}", word(&engine.commitlog_mode)));
        count(format!("window {:>5}ms", engine.schema_flush_window_millis));
        count(format!("compacts {}", engine.compaction_sstables_min));
        let world = &plan.knobs.world;
        count(format!("disk {}", world.disk_profile));
        count(format!("disk tears {}", world.disk_tear));
        count(format!("schedule {}", world.schedule));
        count(format!("clients {}", plan.clients.len()));
        count(format!("operations {:>3}..", operations / 50 * 50));
        for operation in plan.clients.iter().flatten() {
            count(format!("operation {}", word(operation)));
            if operation.ttl_seconds().is_some() {
                count("operation that expires".to_owned());
            }
            for kind in of_collections(operation) {
                count(format!("collection {kind}"));
            }
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
        let _ = writeln!(text, "{count:>6} {name}");
    }
    text
}

#[test]
fn disks_are_drawn_where_what_was_acknowledged_has_to_survive() {
    let disk = |plan: Plan| plan.knobs.world;
    let worlds: Vec<_> = plans(CRASHES, 400).map(disk).collect();
    let profiles: BTreeSet<_> = worlds.iter().map(|world| world.disk_profile).collect();
    let honest = |profile: &DiskProfile| {
        let mut honest = Profile::honest();
        honest.any(|other| other == (*profile).into())
    };
    let all: BTreeSet<_> = DiskProfile::ALL.iter().copied().filter(honest).collect();
    assert_eq!(profiles, all);
    let tears: BTreeSet<_> = worlds.iter().map(|world| world.disk_tear).collect();
    let spoils = [
        DiskTear::GarbageSector,
        DiskTear::GarbagePage,
        DiskTear::Unreadable,
    ];
    let spares = |tear: &DiskTear| !spoils.contains(tear);
    let all: BTreeSet<_> = DiskTear::ALL.iter().copied().filter(spares).collect();
    assert_eq!(tears, all);
    let schedules: BTreeSet<_> = worlds.iter().map(|world| world.schedule).collect();
    assert_eq!(schedules, TaskSchedule::ALL.iter().copied().collect());
}

#[test]
fn plans_are_small_and_of_many_kinds() {
    golden!(
        "scenarios/workload",
        "two_hundred_crashes",
        "What 200 plans of `crash-without-drain` hold.",
        contents(CRASHES, 30..=450)
    );
    golden!(
        "scenarios/workload",
        "two_hundred_merges",
        "What 200 plans of `tombstone-merge` hold.",
        contents(MERGES, 40..=400)
    );
    golden!(
        "scenarios/workload",
        "two_hundred_flushes",
        "What 200 plans of `flush-coalescing` hold.",
        contents(FLUSHES, 24..=200)
    );
}

#[test]
fn a_good_part_of_the_crashes_comes_amid_thirty_tables_and_three_hundred_operations() {
    let usual = plans(CRASHES, 200).filter(|plan| {
        let tables: BTreeSet<_> = plan
            .clients
            .iter()
            .flatten()
            .filter(|operation| matches!(operation, Operation::CreateTable { .. }))
            .filter_map(Operation::table)
            .collect();
        let operations: usize = plan.clients.iter().map(Vec::len).sum();
        tables.len() == 30 && (280..=340).contains(&operations)
    });
    let count = usual.count();
    assert!(count >= 60, "{count} of 200");
}

#[test]
fn every_seed_makes_a_plan_that_its_own_loader_takes() {
    for (scenario, seeds) in [
        ("crash-without-drain", 0..2_000),
        ("flush-coalescing", 0..6_000),
        ("tombstone-merge", 0..2_000),
        // Columns come back as what they were not, in a table that nothing creates.
        ("flush-coalescing", 1_796_091_482_709..1_796_091_482_710),
        ("flush-coalescing", 1_796_091_483_194..1_796_091_483_195),
    ] {
        for seed in seeds {
            let plan = Plan::from_seed(scenario, seed).expect("the scenario exists");
            assert_eq!(plan.validate("plan"), Ok(()), "{scenario} {seed}");
        }
    }
}

#[test]
fn every_run_is_crashed_and_creates_tables() {
    for plan in plans(CRASHES, 200) {
        let crashes = plan
            .faults
            .iter()
            .filter(|fault| matches!(fault.kind, FaultKind::Crash { .. }));
        assert!((1..=7).contains(&crashes.count()));
        let is_create = |operation: &&Operation| matches!(operation, Operation::CreateTable { .. });
        assert!(
            plan.clients[0]
                .iter()
                .any(|operation| is_create(&operation))
        );
    }
}

#[test]
fn the_last_client_reads_every_written_partition_both_ways_and_its_stones_where_any_may_go() {
    let with_stones = plans(MERGES, 20).map(|plan| (plan, None));
    for (plan, stones_count) in plans(CRASHES, 20)
        .map(|plan| (plan, Some(0)))
        .chain(with_stones)
    {
        let compacts = |operation: &Operation| matches!(operation, Operation::Compact { .. });
        let forgets = plan.knobs.engine.compaction_sstables_min > 0
            || plan.clients.iter().flatten().any(compacts);
        let stones_count = stones_count.unwrap_or(usize::from(forgets));
        let finals = final_operations(&plan);
        assert_eq!(finals[..2], [Operation::Describe, Operation::SystemSchema]);
        for write in plan
            .clients
            .iter()
            .flatten()
            .filter(|operation| operation.is_write())
        {
            let same = || {
                finals.iter().filter(|read| {
                    (read.table(), read.partition()) == (write.table(), write.partition())
                })
            };
            let is_read = |read: &&Operation| matches!(read, Operation::Read { .. });
            assert!((1..=2).contains(&same().filter(is_read).count()), "{write}");
            let is_stones = |read: &&Operation| matches!(read, Operation::Stones { .. });
            assert_eq!(same().filter(is_stones).count(), stones_count, "{write}");
        }
    }
}

#[test]
fn one_slice_is_read_in_both_orders_one_after_the_other() {
    let mut pairs_count = 0;
    for session in plans(MERGES, 20).flat_map(|plan| plan.clients) {
        pairs_count += session
            .windows(2)
            .filter(|pair| match (&pair[0], &pair[1]) {
                (
                    Operation::Read {
                        order: Some(one), ..
                    },
                    Operation::Read {
                        order: Some(other), ..
                    },
                ) => {
                    let mut turned = pair[0].clone();
                    if let Operation::Read { order, .. } = &mut turned {
                        *order = Some(*other);
                    }
                    one != other && turned == pair[1]
                }
                _ => false,
            })
            .count();
    }
    assert!(pairs_count >= 20, "{pairs_count} pairs");
}
