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
fn crash_states_that_hold_end_with_0_and_those_that_fail_name_the_command_that_shows_one() {
    let held = cenotaph("crash-states crash-without-drain --seed 2 --bound 0 --states 20");
    assert_eq!(held.status.code(), Some(0), "{}", out(&held));
    assert!(
        out(&held).contains("verdict      all held\n"),
        "{}",
        out(&held)
    );

    let failing = "crash-states crash-without-drain --seed 2 --bound 0 --states 20 --bug P05";
    let found = cenotaph(failing);
    assert_eq!(found.status.code(), Some(1), "{}", out(&found));
    let told = out(&found);
    assert!(told.contains("\ncut after    n1/1/"), "{told}");
    let next = told.lines().last().expect("a command to type next").trim();
    assert!(next.ends_with(" --trace"), "{told}");
    let again = cenotaph(
        next.strip_prefix("cenotaph ")
            .expect("it is one of this program"),
    );
    assert_eq!(again.status.code(), Some(1), "{}", out(&again));
    assert!(
        out(&again).contains("FAILED boot/boot-succeeds/node"),
        "{}",
        out(&again)
    );
    assert!(out(&again).contains("process ended: "), "{}", out(&again));

    let json = cenotaph(&format!("{failing} --json"));
    let lines: Vec<&str> = out(&json).lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains(r#""type":"crash_states""#) && lines[0].contains(r#""holds":false"#));
    assert!(
        lines[1].contains(r#""type":"crash_state""#) && lines[1].contains(next),
        "{lines:?}"
    );
}

#[test]
fn a_wrong_call_ends_with_2_and_a_message() {
    for (call, message) in [
        (
            "crash-states crash-without-drain --state 1:2",
            "no crash state `1:",
        ),
        (
            "crash-states crash-without-drain --state 12",
            "expected `MOMENT:IMAGE`",
        ),
        ("crash-states crash-without-drain --trace", "--state"),
        ("crash-states crash-without-drain --bound -1", "-1"),
        ("crash-states crash-without-drain --states 0", "0"),
        (
            "crash-states crash-without-drain --bug P99",
            "no planted bug `P99`",
        ),
    ] {
        let wrong = cenotaph(call);
        assert_eq!(wrong.status.code(), Some(2), "{call}");
        let said = String::from_utf8(wrong.stderr).unwrap();
        assert!(said.contains(message), "{call}: {said}");
    }
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
