//! Invariants of plan files: a wrong one is told with place and cause, a right one is run again,
//! shrunk and compared.

use std::path::Path;

use cenotaph::cli::{HELD, VIOLATED, WRONG};
use cenotaph::plan::Plan;
use cenotaph_snapshots::golden;

use super::called::{called_with, without_catalogue};
use crate::synthetic::{one_plan, plan_of, run};

#[expect(clippy::disallowed_methods, reason = "plan files are on the real disk")]
fn write(path: &Path, text: &[u8]) {
    std::fs::write(path, text).expect("a temporary folder takes files");
}

#[expect(clippy::disallowed_methods, reason = "plan files are on the real disk")]
pub(super) fn read(path: &Path) -> Plan {
    let text = std::fs::read_to_string(path).expect("the program wrote the file");
    Plan::from_json(&path.display().to_string(), &text).expect("the program writes plans")
}

#[test]
fn a_wrong_file_is_told_with_place_and_cause() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let file = path.display().to_string();
    let good = one_plan().to_json();
    let unknown = |from: &str, to: &str| good.replacen(from, to, 1).into_bytes();
    let with_bug = Plan {
        bug: Some("P77".to_owned()),
        ..one_plan()
    }
    .to_json();
    let cases = [
        ("cut short", good.as_bytes()[..300].to_vec()),
        ("not UTF-8", b"{\"format\": 1, \xff}".to_vec()),
        ("an unknown field", unknown("\"scenario\"", "\"szenario\"")),
        ("an unknown scenario", unknown("\"rows\"", "\"rowz\"")),
        ("an unknown bug", with_bug.into_bytes()),
        ("another format", unknown("\"format\": 1", "\"format\": 2")),
        (
            "out of bounds",
            unknown(
                "\"restart_after_millis\":35",
                "\"restart_after_millis\":99999999",
            ),
        ),
    ];
    let mut text = String::new();
    for (case, bytes) in cases {
        write(&path, &bytes);
        for command in ["replay", "shrink", "diff"] {
            let args: Vec<&str> = match command {
                "shrink" => vec![command, &file, "-o", "never.json"],
                "diff" => vec![command, &file, &file],
                _ => vec![command, &file],
            };
            let told = called_with(&run, &args);
            assert_eq!(
                (told.code, told.out.as_str()),
                (WRONG, ""),
                "{case}: {command}"
            );
            if command == "replay" {
                text += &format!("{case}:\n{}", told.err.replace(&file, "plan.json"));
            }
        }
    }
    golden!(
        "scenarios/cli",
        "wrong_files",
        "Whatever is wrong with a plan file, its name, the place and the cause are told.",
        without_catalogue(&text)
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nothing.json").display().to_string();
    let told = called_with(&run, &["replay", &file]);
    assert_eq!(told.code, WRONG);
    assert!(
        told.err.starts_with(&format!("error: {file}: ")),
        "{}",
        told.err
    );
}

#[test]
fn a_plan_is_shrunk_into_a_file_that_replays_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (path, min) = (
        folder.path().join("plan.json"),
        folder.path().join("new/min.json"),
    );
    write(&path, one_plan().to_json().as_bytes());
    let (file, min_file) = (path.display().to_string(), min.display().to_string());
    let told = called_with(&run, &["shrink", &file, "-o", &min_file, "--jobs", "2"]);
    assert_eq!((told.code, told.err.as_str()), (HELD, ""));
    assert!(
        told.out
            .contains(&format!("cenotaph replay {min_file} --trace\n")),
        "{}",
        told.out
    );
    assert_eq!(read(&min).clients.iter().map(Vec::len).sum::<usize>(), 1);
    let replayed = called_with(&run, &["replay", &min_file]);
    assert_eq!(replayed.code, VIOLATED);
    assert!(
        replayed
            .out
            .contains("FAILED durability/acknowledged-survives/row")
    );
}

#[test]
fn a_plan_that_holds_is_not_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    write(&path, plan_of("rows", 1).to_json().as_bytes());
    let (file, min) = (path.display().to_string(), folder.path().join("min.json"));
    let told = called_with(&run, &["shrink", &file, "-o", &min.display().to_string()]);
    assert_eq!(told.code, WRONG);
    assert_eq!(
        told.err,
        format!("error: {file}: the plan does not fail: there is nothing to shrink\n")
    );
    assert!(!min.exists());
}

#[test]
fn plans_are_compared_and_a_difference_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, seed) in [("a", 1), ("b", 2)] {
        let path = folder.path().join(name);
        write(&path, plan_of("rows", seed).to_json().as_bytes());
        files.push(path.display().to_string());
    }
    let same = called_with(&run, &["diff", &files[0], &files[0]]);
    assert_eq!(same.code, HELD);
    assert!(
        same.out
            .ends_with("the runs are the same, event by event\n"),
        "{}",
        same.out
    );
    let other = called_with(&run, &["diff", &files[0], &files[1]]);
    assert_eq!(other.code, VIOLATED);
    assert!(
        other.out.contains("the runs differ from event 0 on"),
        "{}",
        other.out
    );
}
