//! Invariants of the searching commands: what they keep on the disk and how they end.

use cenotaph::cli::{HELD, VIOLATED};
use cenotaph::plan::Plan;

use super::called::called_with;
use super::files::read;
use crate::synthetic::{outcome, run};

#[test]
fn a_sweep_that_holds_keeps_nothing_and_ends_with_0() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("failures");
    let args = ["explore", "rows", "--seeds", "1..3", "--keep"];
    let told = called_with(&run, &[&args[..], &[&keep.display().to_string()]].concat());
    assert_eq!((told.code, told.err.as_str()), (HELD, ""));
    assert!(
        told.out.starts_with("rows, seeds 1..3: all held\n"),
        "{}",
        told.out
    );
    assert!(told.out.contains("a core-second"), "{}", told.out);
    assert!(!keep.exists());
}

#[test]
fn a_failing_seed_is_shrunk_kept_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let told = called_with(
        &run,
        &["explore", "rows", "--seeds", "1..9", "--keep", &keep],
    );
    assert_eq!(told.code, VIOLATED);
    assert!(
        told.out
            .contains("FAILED durability/acknowledged-survives/row"),
        "{}",
        told.out
    );
    let next = told
        .out
        .lines()
        .find_map(|line| line.strip_prefix("  cenotaph replay "))
        .unwrap();
    let file = next.strip_suffix(" --trace").unwrap();
    let plan = read(std::path::Path::new(file));
    assert_eq!(plan.clients.iter().map(Vec::len).sum::<usize>(), 1);
    assert_eq!(called_with(&run, &["replay", file]).code, VIOLATED);
}

#[test]
fn a_sweep_for_programs_is_one_object_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let args = [
        "explore", "--seeds", "1..5", "--shard", "2/2", "--json", "--keep", &keep,
    ];
    let told = called_with(&run, &args);
    assert_eq!(told.code, VIOLATED);
    let types: Vec<_> = told
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].clone())
        .collect();
    assert_eq!(types, ["failure", "failure", "sweep"]);
}

#[test]
fn fresh_seeds_are_told_so_that_they_can_be_had_again() {
    let held = |plan: &Plan, options: &_| outcome(plan, options, &|_| Vec::new());
    let told = called_with(&held, &["explore", "rows", "--for", "1ms", "--jobs", "2"]);
    let first = told.out.lines().next().unwrap();
    let seeds = first
        .strip_prefix("rows, seeds ")
        .unwrap()
        .split_once("..")
        .unwrap()
        .0;
    assert!(seeds.parse::<u64>().unwrap() > 1_700_000_000_000, "{first}");
}

/// P05 shows in every fifth seed, the others never.
fn planted(plan: &Plan, options: &cenotaph::cluster::RunOptions) -> cenotaph::run::Outcome {
    let mut outcome = run(plan, options);
    if plan.bug.as_deref() != Some("P05") {
        outcome.verdict.violations.clear();
    }
    outcome
}

#[test]
fn planted_bugs_that_are_found_end_with_0() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let told = called_with(&planted, &["planted", "p05", "--keep", &keep]);
    assert_eq!(told.code, HELD, "{}", told.out);
    assert!(told.out.contains("1 of 1 found"), "{}", told.out);
    let next = told
        .out
        .lines()
        .last()
        .unwrap()
        .strip_prefix("P05  cenotaph replay ")
        .unwrap();
    let plan = read(std::path::Path::new(next.strip_suffix(" --trace").unwrap()));
    assert_eq!(plan.bug.as_deref(), Some("P05"));
}

#[test]
fn a_planted_bug_that_is_not_found_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let told = called_with(&planted, &["planted", "--budget", "50ms", "--keep", &keep]);
    assert_eq!(told.code, VIOLATED);
    assert!(told.out.contains("P02  NOT FOUND"), "{}", told.out);
    assert!(told.out.contains("1 of 3 found"), "{}", told.out);
}
