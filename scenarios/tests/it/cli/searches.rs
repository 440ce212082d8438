//! Invariants of the searching commands: what they keep on the disk and how they end.

use std::path::Path;

use cenotaph::cli::{HELD, VIOLATED, WRONG};
use cenotaph::plan::Plan;

use super::called::called_with;
use super::files::read;
use crate::synthetic::{one_plan, outcome, run};

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
    let plan = read(Path::new(file));
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
    let plan = read(Path::new(next.strip_suffix(" --trace").unwrap()));
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

#[expect(clippy::disallowed_methods, reason = "kept plans are on the real disk")]
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let names = entries.map(|entry| {
        let name = entry.expect("the folder can be listed").file_name();
        name.into_string().expect("the program's names are UTF-8")
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_failure_is_kept_before_it_is_shrunk_and_once_after() {
    let folder = tempfile::tempdir().unwrap();
    // Whatever is smaller than the plan of a seed is run while it is shrunk.
    let watched = |plan: &Plan, options: &_| {
        let is_shrunk = plan.clients.iter().map(Vec::len).sum::<usize>() < 20;
        assert!(
            !is_shrunk || !names(folder.path()).is_empty(),
            "nothing is kept"
        );
        run(plan, options)
    };
    let keep = folder.path().display().to_string();
    let args = [
        "explore", "rows", "rows", "--seeds", "3..4", "--keep", &keep,
    ];
    let told = called_with(&watched, &args);
    assert_eq!(told.code, VIOLATED, "{}", told.err);
    assert!(told.out.contains("2 runs of 1 seed;"), "{}", told.out);
    let kept = names(folder.path());
    assert_eq!(kept.len(), 1, "{kept:?}");
    let plan = read(&folder.path().join(&kept[0]));
    assert_eq!(plan.clients.iter().map(Vec::len).sum::<usize>(), 1);
    assert!(!told.out.contains("cenotaph shrink"), "{}", told.out);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "kept plans are on the real disk")]
fn a_folder_that_takes_no_plans_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let keep = file.join("failures").display().to_string();
    let never = |_: &Plan, _: &_| panic!("nothing is run");
    for command in ["explore", "planted"] {
        let told = called_with(&never, &[command, "--keep", &keep]);
        assert_eq!((told.code, told.out.as_str()), (WRONG, ""), "{command}");
        assert!(
            told.err.starts_with(&format!("error: {keep}: ")),
            "{}",
            told.err
        );
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "kept plans are on the real disk")]
fn a_failure_that_cannot_be_kept_is_told_with_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("failures");
    // The folder gives way to a file while seeds are run.
    let spoiled = |plan: &Plan, options: &_| {
        let _ = std::fs::write(&keep, "no folder");
        run(plan, options)
    };
    let args = ["explore", "rows", "--seeds", "3..4", "--keep"];
    let told = called_with(
        &spoiled,
        &[&args[..], &[&keep.display().to_string()]].concat(),
    );
    assert_eq!(told.code, VIOLATED);
    assert!(told.err.starts_with("error: "), "{}", told.err);
    let next = "next\n  cenotaph run rows --seed 3 --trace\n";
    assert!(told.out.contains(next), "{}", told.out);
}

#[test]
fn a_bug_that_is_hunted_elsewhere_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let explored = |scenario: &str, bug: &str| {
        let args = [
            "explore", scenario, "--bug", bug, "--seeds", "1..2", "--keep", &keep,
        ];
        called_with(&run, &args).err
    };
    let note = "note: P02 is hunted in queues, and may never show elsewhere: \
                cenotaph explore queues --bug P02\n";
    assert_eq!(explored("rows", "P02"), note);
    assert_eq!(explored("queues", "P02"), "");
    assert_eq!(explored("rows", "P01"), "", "nobody hunts it");
}

#[test]
fn a_plan_that_no_seed_makes_is_told_by_its_run_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json").display().to_string();
    let replayed = |plan: &Plan| {
        #[expect(clippy::disallowed_methods, reason = "the plan goes to the real disk")]
        std::fs::write(&path, plan.to_json()).unwrap();
        called_with(&run, &["replay", &path]).out
    };
    let mut plan = one_plan();
    let made = replayed(&plan);
    assert!(made.contains("\nseed         3\n"), "{made}");
    assert!(made.contains("scenario   rows, seed 3, commit"), "{made}");
    plan.clients[0].pop();
    let changed = replayed(&plan);
    assert!(changed.contains("\nrun key      3\n"), "{changed}");
    assert!(
        changed.contains("scenario   rows, run key 3, commit"),
        "{changed}"
    );
}

#[test]
fn the_command_that_keeps_a_failing_seed_is_told_and_keeps_it() {
    let told = called_with(&run, &["run", "rows", "--seed", "3", "--bug", "p05"]);
    let next = "  cenotaph explore rows --seeds 3..4 --bug P05 --keep failures\n";
    assert!(told.out.ends_with(next), "{}", told.out);
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().display().to_string();
    let args: Vec<&str> = next.split_whitespace().skip(1).collect();
    let args = [&args[..args.len() - 1], &[keep.as_str()]].concat();
    assert_eq!(called_with(&run, &args).code, VIOLATED);
    assert_eq!(names(folder.path()).len(), 1);
}
