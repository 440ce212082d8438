//! Invariants of a plan's text: what it looks like, and that nothing gets lost on the way.

use cenotaph::plan::{
    Anchor, CommitlogMode, DiskProfile, DiskTear, Knobs, OperationRef, Plan, RecordBytes, Sections,
    TaskSchedule,
};
use cenotaph_sim::entropy::Ratio;
use cenotaph_snapshots::golden;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::small;

const SCENARIO: &str = "crash-without-drain";

#[test]
fn a_plan_is_a_text_for_people() {
    let plan = small::plan();
    let text = plan.to_json();
    assert_eq!(Plan::from_json("small.json", &text), Ok(plan));
    golden!(
        "scenarios/plan",
        "small_plan",
        "One operation and one fault a line.",
        text
    );
}

#[test]
fn operations_print_as_cql() {
    let plan = small::plan();
    let text: String = plan
        .clients
        .iter()
        .flatten()
        .map(|operation| format!("{operation}\n"))
        .collect();
    golden!(
        "scenarios/plan",
        "operations_as_cql",
        "One statement or dot-command a line.",
        text
    );
}

#[test]
fn the_first_draws_and_the_plans_of_seeds_are_frozen() {
    let mut text = String::new();
    for seed in 0..5 {
        let sections = Sections::Seed(seed);
        let client: Vec<RecordBytes> = sections.records(1, 3, 1);
        let plan = Plan::from_seed(SCENARIO, seed).unwrap();
        let operations_count: usize = plan.clients.iter().map(Vec::len).sum();
        text += &format!(
            "seed {seed}\n  knobs    {:02x?}\n  faults   {:02x?}\n  tables   {:02x?}\n  client-1 {:02x?}\n  \
             plan {} of {} clients, {operations_count} operations, {} faults\n",
            &sections.knobs()[..8],
            &sections.faults()[..8],
            &sections.tables()[..8],
            &client[0][..8],
            plan.hash(),
            plan.clients.len(),
            plan.faults.len(),
        );
    }
    golden!(
        "scenarios/plan",
        "seeds",
        "A seed means the same plan for ever.",
        text
    );
}

#[test]
fn a_plan_depends_on_its_seed_alone() {
    for seed in 0..50 {
        let plan = Plan::from_seed(SCENARIO, seed).unwrap();
        assert_eq!(plan, Plan::from_seed(SCENARIO, seed).unwrap());
        assert_ne!(
            plan.hash(),
            Plan::from_seed(SCENARIO, seed + 1).unwrap().hash()
        );
    }
}

#[test]
fn anchors_print_and_parse() {
    for text in [
        "0ms",
        "1500ms",
        "c1o17",
        "n1/2/commitlog/sync/3",
        "n1/1/data/create-dir/0",
    ] {
        let anchor: Anchor = text.parse().unwrap();
        assert_eq!(anchor.to_string(), text);
    }
    let named = Anchor::Operation(OperationRef {
        client: 1,
        index: 17,
    });
    assert_eq!("c1o17".parse(), Ok(named));
    for text in [
        "",
        "ms",
        "-1ms",
        "+1ms",
        "c1",
        "c01o1",
        "n1/2/commitlog/sync",
        "n1/2/wal/sync/3",
        "n1/2/data/fly/3",
    ] {
        assert!(text.parse::<Anchor>().is_err(), "{text}");
    }
}

#[test]
fn a_knob_is_turned_by_its_name() {
    let mut knobs = Knobs::default();
    knobs.set("commitlog_mode", "periodic").unwrap();
    knobs.set("disk_profile", "strict").unwrap();
    knobs.set("disk_tear", "garbage-in-range").unwrap();
    knobs.set("schedule", "pct").unwrap();
    knobs.set("network_loss", "1/50").unwrap();
    knobs.set("clock_offset_millis", "-20").unwrap();
    assert_eq!(knobs.engine.commitlog_mode, CommitlogMode::Periodic);
    assert_eq!(knobs.world.disk_profile, DiskProfile::Strict);
    assert_eq!(knobs.world.disk_tear, DiskTear::GarbageInRange);
    assert_eq!(knobs.world.schedule, TaskSchedule::Pct);
    assert_eq!(knobs.world.network_loss, Ratio::new(1, 50).unwrap());
    assert_eq!(knobs.world.clock_offset_millis, -20);
    let before = knobs.clone();
    let wrong = [
        ("speed", "9"),
        ("network_loss", "2/1"),
        ("block_size_bytes", "1"),
        ("disk_profile", "lax"),
        ("disk_tear", "512"),
        ("schedule_changes_count", "65"),
    ];
    let errors: String = wrong
        .iter()
        .map(|(name, value)| format!("{}\n", knobs.set(name, value).unwrap_err()))
        .collect();
    assert_eq!(knobs, before, "a knob that cannot be turned is not turned");
    golden!(
        "scenarios/plan",
        "knob_errors",
        "Errors of `--set` name the knob and the cause.",
        errors
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn text_and_plan_are_the_same(seed in any::<u64>()) {
        let plan = Plan::from_seed(SCENARIO, seed).unwrap();
        let text = plan.to_json();
        let read = Plan::from_json("plan.json", &text).unwrap();
        prop_assert_eq!(&read, &plan);
        prop_assert_eq!(read.to_json(), text);
    }

    #[test]
    fn any_bytes_of_a_fuzzer_are_a_plan_or_none(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        if let Some(plan) = Plan::from_fuzz_bytes(&bytes) {
            prop_assert_eq!(Plan::from_json("plan.json", &plan.to_json()), Ok(plan));
        }
    }
}
