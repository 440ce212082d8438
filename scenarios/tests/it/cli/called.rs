//! Steps of a call in a test: arguments in, text and code out; and what single runs print.

use std::ffi::OsString;
use std::io::{self, Write};

use cenotaph::cli::{Console, Context, HELD, VIOLATED, call};
use cenotaph::cluster::RunOptions;
use cenotaph::plan::Plan;
use cenotaph::shrink::Run;
use cenotaph_engine::planted::Plant;
use cenotaph_snapshots::golden;

use crate::synthetic::{harness, run};

/// What a call printed, and how it ended.
pub(super) struct Called {
    pub(super) code: u8,
    pub(super) out: String,
    pub(super) err: String,
}

/// Calls the program with the arguments of a line.
pub(super) fn called(line: &str) -> Called {
    called_with(&run, &line.split_whitespace().collect::<Vec<_>>())
}

pub(super) fn called_with(run: &Run<'_>, args: &[&str]) -> Called {
    let context = Context {
        harness: harness(run),
        commit: "0123456789ab",
        executable: None,
    };
    let args = ["cenotaph"].iter().chain(args).map(OsString::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = call(args, &context, &mut Console::new(&mut out, &mut err, false));
    Called {
        code,
        out: String::from_utf8(out).expect("the program prints UTF-8"),
        err: String::from_utf8(err).expect("the program prints UTF-8"),
    }
}

/// A text that does not change when the catalogue of planted bugs grows.
pub(super) fn without_catalogue(text: &str) -> String {
    let names: Vec<&str> = Plant::ALL.iter().map(|plant| plant.name()).collect();
    text.replace(&names.join(", "), "(the catalogue)")
}

#[test]
fn list_names_the_scenarios() {
    let list = called("list");
    assert_eq!(list.code, HELD);
    golden!("scenarios/cli", "list", "One line a scenario.", list.out);
    let json = called("list --json").out;
    assert_eq!(json.lines().count(), 2);
    let first = r#"{"bugs":["P02","P05"],"name":"queues","#;
    assert!(json.starts_with(first), "{json}");
}

#[test]
fn the_catalogue_of_planted_bugs_is_told_without_a_run() {
    let told = called_with(
        &|_: &Plan, _: &_| panic!("nothing is run"),
        &["planted", "--list", "P05", "P36"],
    );
    assert_eq!(told.code, HELD, "{}", told.err);
    golden!(
        "scenarios/cli",
        "catalogue",
        "Planted bugs: what each is, where it was first found, and where it is hunted.",
        told.out
    );
    let all = called("planted --list").out;
    assert_eq!(all.lines().count(), 2 * 3, "{all}");
    let json = called("planted --list --json P05").out;
    assert!(json.contains(r#""scenarios":["queues","rows"]"#), "{json}");
}

#[test]
fn the_format_of_plans_is_explained() {
    let told = called("plan");
    assert_eq!((told.code, told.err.as_str()), (HELD, ""));
    assert_eq!(told.out, cenotaph::plan::page());
}

#[test]
fn a_run_that_holds_ends_with_0_and_one_that_fails_with_1() {
    let (held, failed) = (called("run rows --seed 1"), called("run rows --seed 3"));
    assert_eq!((held.code, failed.code), (HELD, VIOLATED));
    assert_eq!(held.err + &failed.err, "");
    golden!(
        "scenarios/cli",
        "run",
        "A run that holds, and one that fails and says what to type next.",
        format!("{}\n{}", held.out, failed.out)
    );
}

#[test]
fn a_run_writes_the_plan_that_it_ran_whether_it_holds_or_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.json");
    let file = file.to_str().expect("a path of plain letters");
    for (seed, code) in [("1", HELD), ("3", VIOLATED)] {
        let line = ["run", "rows", "--seed", seed, "-o", file];
        let told = called_with(
            &run,
            &[&line[..], &["--set", "block_size_bytes=512"]].concat(),
        );
        assert_eq!(told.code, code, "{}", told.out);
        assert_eq!(told.err, format!("the plan is in {file}\n"));
        let again = called_with(&run, &["replay", file]);
        assert_eq!(again.code, code, "{}", again.err);
        let (_, ran) = told.out.split_once('\n').expect("several lines");
        // No seed makes a plan whose knobs were turned.
        let is_own = |line: &str| line.contains("file") || line.contains("seed ");
        let differs = |line: &&str| !again.out.contains(line) && !is_own(line);
        assert_eq!(ran.lines().find(differs), None, "{}", again.out);
    }
    let nowhere = called_with(&run, &["run", "rows", "-o", "/"]);
    assert_eq!(nowhere.code, 2, "{}", nowhere.err);
}

#[test]
fn knobs_and_bugs_are_in_the_command_that_repeats_the_run() {
    let line =
        "run rows --seed 3 --set segment_size_bytes=65536 --set commitlog_mode=group --bug p05";
    let failed = called(line);
    let again = line.replace("p05", "P05");
    assert!(
        failed.out.contains(&format!("cenotaph {again} --trace\n")),
        "{}",
        failed.out
    );
    assert!(failed.out.contains("planted bug  P05"), "{}", failed.out);
    assert!(
        failed.out.contains(", 2 knobs)"),
        "mode and loss: {}",
        failed.out
    );
}

#[test]
fn a_traced_run_prints_its_timeline_first() {
    let speaking = |plan: &Plan, options: &RunOptions| {
        assert!(options.observed, "a traced run says where it is");
        tracing::info!(table = 7, "flush begins");
        tracing::warn!("sync failed");
        run(plan, options)
    };
    let told = called_with(&speaking, &["run", "rows", "--seed", "1", "--trace"]);
    let lines: Vec<&str> = told.out.lines().take(4).collect();
    assert!(lines[0].ends_with("flush begins table=7"), "{lines:?}");
    assert!(lines[1].contains("! sync failed"), "{lines:?}");
    assert_eq!(lines[2], "");
    assert!(lines[3].starts_with("scenario"), "{lines:?}");
}

#[test]
fn a_run_is_one_object_for_programs() {
    let told = called("run rows --seed 3 --json --window 0..3");
    assert_eq!(told.code, VIOLATED);
    assert_eq!(told.out.lines().count(), 1);
    let object: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(object["type"], "run");
    assert_eq!(object["verdict"], "durability/acknowledged-survives/row");
    assert_eq!(object["recorded"].as_array().unwrap().len(), 3);
}

/// A reader who has seen enough.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_changes_no_verdict_and_is_no_error() {
    let context = Context {
        harness: harness(&run),
        commit: "none",
        executable: None,
    };
    for (line, code) in [
        ("list", HELD),
        ("run rows --seed 3", VIOLATED),
        ("--help", HELD),
        ("run rows --seed 1 --trace", HELD),
    ] {
        let args = ["cenotaph"]
            .into_iter()
            .chain(line.split(' '))
            .map(OsString::from);
        let mut err = Vec::new();
        let ended = call(
            args,
            &context,
            &mut Console::new(&mut Closed, &mut err, false),
        );
        assert_eq!(ended, code, "{line}");
        assert_eq!(String::from_utf8(err).unwrap(), "", "{line}");
    }
}
