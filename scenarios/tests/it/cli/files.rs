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

#[test]
fn a_plan_without_end_is_refused() {
    let told = called_with(&run, &["replay", "/dev/zero"]);
    assert_eq!(told.code, WRONG);
    assert_eq!(
        told.err,
        "error: /dev/zero: larger than 16 MiB: no plan is\n"
    );
}

#[test]
fn a_link_is_followed_and_a_device_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write(&at("plan.json"), one_plan().to_json().as_bytes());
    std::os::unix::fs::symlink("min.json", at("link")).unwrap();
    std::os::unix::fs::symlink("/dev/null", at("null")).unwrap();
    for output in ["link", "link", "null"] {
        let (plan, output) = (at("plan.json"), at(output));
        let args = [&plan, &output].map(|path| path.display().to_string());
        let told = called_with(&run, &["shrink", &args[0], "-o", &args[1]]);
        assert_eq!((told.code, told.err.as_str()), (HELD, ""));
        assert!(output.is_symlink());
    }
    assert_eq!(read(&at("min.json")).clients.len(), 1);
    assert_eq!(
        folder.path().join("null").read_link().unwrap(),
        Path::new("/dev/null")
    );
    #[expect(clippy::disallowed_methods, reason = "plan files are on the real disk")]
    let entries = std::fs::read_dir(folder.path()).unwrap();
    assert_eq!(entries.count(), 4, "no partial file is left");
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    write(&path, one_plan().to_json().as_bytes());
    let (file, output) = (
        path.display().to_string(),
        folder.path().display().to_string(),
    );
    let never = |_: &Plan, _: &_| panic!("nothing is run");
    let told = called_with(&never, &["shrink", &file, "-o", &output]);
    assert_eq!(told.code, WRONG);
    assert!(
        told.err.starts_with(&format!("error: {output}: ")),
        "{}",
        told.err
    );
}

#[test]
fn commands_to_type_next_quote_what_a_shell_would_split() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it's a plan.json");
    write(&path, one_plan().to_json().as_bytes());
    let told = called_with(&run, &["replay", &path.display().to_string()]);
    assert_eq!(told.code, VIOLATED);
    let quoted = format!("'{}/it'\\''s a plan.json'", folder.path().display());
    let next = format!(
        "next\n  cenotaph replay {quoted} --trace\n  cenotaph shrink {quoted} -o min.json\n"
    );
    assert!(told.out.ends_with(&next), "{}", told.out);
}
