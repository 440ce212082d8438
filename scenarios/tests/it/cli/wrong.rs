//! Invariants of wrong calls: exit code 2, nothing on the output, a message that says what is known.

use cenotaph::cli::{HELD, WRONG};
use cenotaph_snapshots::golden;

use super::called::{called, without_catalogue};

#[test]
fn wrong_names_are_told_with_those_that_exist() {
    let lines = [
        "run row",
        "run nothing-like-it",
        "explore rows queue",
        "run rows --bug P2",
        "planted P99",
        "run rows --set segment_size_bytes=1",
        "run rows --set commitlog_mode=sometimes",
        "run rows --set network_loss=2/1",
        "run rows --set commitlog_mode",
    ];
    let mut text = String::new();
    for line in lines {
        let told = called(line);
        assert_eq!((told.code, told.out.as_str()), (WRONG, ""), "{line}");
        assert!(told.err.starts_with("error: "), "{line}: {}", told.err);
        text += &format!("$ cenotaph {line}\n{}", told.err);
    }
    golden!(
        "scenarios/cli",
        "wrong_names",
        "A wrong scenario, bug or knob is named, with the nearest and all that there are.",
        without_catalogue(&text)
    );
}

#[test]
fn a_wrong_knob_is_told_with_the_nearest() {
    let told = called("run rows --set segment_size=1");
    assert_eq!((told.code, told.out.as_str()), (WRONG, ""));
    let start =
        "error: there is no knob `segment_size`; did you mean `segment_size_bytes`?\n  known: ";
    assert!(told.err.starts_with(start), "{}", told.err);
    assert!(told.err.contains("network_loss"), "{}", told.err);
}

#[test]
fn wrong_arguments_are_told_with_what_is_expected() {
    let lines = [
        "",
        "explode",
        "run",
        "run rows --seed x",
        "explore --seeds 5",
        "explore --seeds 5..5",
        "explore --for soon",
        "explore --for 10s --seeds 0..5",
        "explore --shard 3/2",
        "explore --jobs 0",
        "explore --jobs 1025",
        "explore --jobs 18446744073709551615",
        "explore --for 0s",
        "explore --for -5s",
        "explore rows --shard 5/9 --seeds 0..3",
        "planted --budget 0s",
        "run rows --seed -1",
        "shrink plan.json",
        "shrink plan.json -o min.json --runs 0",
    ];
    for line in lines {
        let told = called(line);
        assert_eq!((told.code, told.out.as_str()), (WRONG, ""), "{line}");
        assert!(!told.err.is_empty(), "{line}");
    }
    for (line, why) in [
        ("run rows --seed -1", "invalid value '-1'"),
        ("explore --seeds -1..5", "`-1..5` is not a range"),
        ("explore --for 0s", "nothing would be run"),
        ("planted --budget 0s", "nothing would be run"),
        (
            "explore --shard 5/9 --seeds 0..3",
            "shard 5/9 has none of the seeds 0..3",
        ),
        (
            "explore --jobs 1025",
            "`1025` is not a number of threads within 1..=1024",
        ),
    ] {
        let told = called(line).err;
        assert!(told.contains(why), "{line}: {told}");
    }
    let told = called("explore --for soon").err;
    assert!(
        told.contains("`soon` is not a time: expected `500ms`, `60s`, `10m` or `2h`"),
        "{told}"
    );
}

#[test]
fn the_help_of_a_run_lists_the_knobs() {
    let told = called("run --help").out;
    assert!(told.contains("commitlog_period_millis"), "{told}");
    assert!(told.contains("1..=60000 (by default 100)"), "{told}");
    let short = called("run -h").out;
    assert!(!short.contains("commitlog_period_millis"), "{short}");
}

#[test]
fn every_help_has_an_example() {
    let help = called("--help");
    assert_eq!(help.code, HELD);
    assert!(help.out.contains("Example"), "{}", help.out);
    for command in [
        "list",
        "run",
        "explore",
        "replay",
        "shrink",
        "diff",
        "crash-states",
        "planted",
        "plan",
    ] {
        assert!(
            help.out.contains(&format!("\n  {command} ")),
            "{command} in {}",
            help.out
        );
        let told = called(&format!("{command} --help"));
        assert_eq!((told.code, told.err.as_str()), (HELD, ""), "{command}");
        assert!(
            told.out.contains(&format!("cenotaph {command}")),
            "{}",
            told.out
        );
        assert!(told.out.contains("Example"), "{command}: {}", told.out);
    }
    golden!(
        "scenarios/cli",
        "help",
        "Only commands that exist, and the exit codes.",
        help.out
    );
}
