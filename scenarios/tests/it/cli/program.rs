//! Invariants of the real program, as a process: real plans, real runs, real pipes.

use std::process::{Command, Output, Stdio};

fn cenotaph(line: &str) -> Output {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    Command::new(env!("CARGO_BIN_EXE_cenotaph"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the program prints UTF-8")
}

#[test]
fn a_seed_is_the_same_run_in_every_process() {
    let runs = [1, 2].map(|_| cenotaph("run crash-without-drain --seed 7 --json"));
    assert_eq!(runs[0].stdout, runs[1].stdout);
    assert!(
        out(&runs[0]).contains(r#""type":"run""#),
        "{}",
        out(&runs[0])
    );
}

#[test]
fn the_right_engine_holds_over_a_few_seeds_here_on_another_thread_and_in_another_process() {
    let swept = cenotaph("explore crash-without-drain --seeds 0..8");
    assert_eq!(swept.status.code(), Some(0), "{}", out(&swept));
    assert!(out(&swept).starts_with("crash-without-drain, seeds 0..8: all held\n"));
    assert!(out(&swept).contains("16 runs of 8 seeds; 1 seed again in another process"));
}

#[test]
fn a_wrong_call_ends_with_2_and_a_message() {
    let wrong = cenotaph("run crash-without-drian");
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        said.contains("did you mean `crash-without-drain`?"),
        "{said}"
    );
}

#[test]
fn a_reader_who_goes_away_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cenotaph"))
        .args(["run", "crash-without-drain", "--trace"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert!(
        ended.status.code().is_some_and(|code| code < 2),
        "{}",
        ended.status
    );
}
