//! Invariants of the two stories: a burst of schema changes costs as many flushes as windows; a stone goes
//! when its grace is over and nothing older lies elsewhere, and not before.

use cenotaph::plan::Plan;
use cenotaph::run::{RunOptions, run};
use cenotaph_sim::trace::{Timeline, watch};
use cenotaph_snapshots::golden;

/// The timeline of a plan without faults, after its verdict.
fn told(plan: &Plan) -> String {
    let timeline = Timeline::new();
    let options = RunOptions {
        observed: true,
        window: None,
    };
    let outcome = watch(timeline.layer(tracing::Level::INFO), || run(plan, &options));
    let violations = &outcome.verdict.violations;
    assert!(outcome.verdict.holds(), "{violations:?}");
    timeline.render()
}

fn plan(knobs: &str, operations: &[String]) -> Plan {
    let operations = operations.join(",\n");
    let text = format!(
        r#"{{"format": 1, "scenario": "story", "run_key": 1, "knobs": {knobs},
        "clients": [[{operations}]], "faults": []}}"#
    );
    Plan::from_json("story", &text).expect("a story is a plan")
}

/// Thirty tables, one after the other, and a rest longer than a window.
fn burst(window_millis: u32) -> Plan {
    let create = |table: u32| {
        format!(r#"{{"create_table": {{"table": {table}, "shape": {{"regulars": ["text"]}}}}}}"#)
    };
    let mut operations: Vec<String> = (0..30).map(create).collect();
    operations.push(r#"{"pause": {"millis": 1500}}"#.to_owned());
    let knobs = format!(r#"{{"engine": {{"schema_flush_window_millis": {window_millis}}}}}"#);
    plan(&knobs, &operations)
}

/// What the schema's flushes did, and how many changes came before each.
fn flushes_of(plan: &Plan) -> String {
    let outcome = run(plan, &RunOptions::default());
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    let mut text = String::new();
    let mut applied_count = 0;
    for event in outcome.history.events() {
        let cenotaph::history::Event::Marked { at, mark, .. } = event else {
            continue;
        };
        match &mark[..] {
            "schema.applied" => applied_count += 1,
            mark => text += &format!("{at}  {mark}, after {applied_count} changes\n"),
        }
    }
    text
}

#[test]
fn a_burst_of_thirty_changes_is_flushed_once_a_window() {
    golden!(
        "scenarios/run",
        "burst_of_changes_under_a_window",
        "30 CREATE TABLEs in a row under a window of one second cause one flush, a second after the first.",
        flushes_of(&burst(1_000))
    );
}

#[test]
fn a_burst_of_thirty_changes_without_a_window_is_flushed_thirty_times() {
    golden!(
        "scenarios/run",
        "burst_of_changes_without_a_window",
        "The same at 0: each change is answered after a flush of its own.",
        flushes_of(&burst(0))
    );
}

#[test]
fn a_stone_goes_when_its_grace_is_over_and_nothing_older_lies_elsewhere() {
    let shape = r#"{"clustering": [["int", "asc"]], "regulars": ["text"], "gc_grace_seconds": 1}"#;
    let insert = |row: i32, value: &str, timestamp: i64, ttl: &str| {
        format!(
            r#"{{"insert": {{"table": 0, "partition": 0, "row": [{row}], "cells": {{"v0": "{value}"}},
            "timestamp": {timestamp}{ttl}}}}}"#
        )
    };
    let on_table = |what: &str| format!(r#"{{"{what}": {{"table": 0}}}}"#);
    let stones = || r#"{"stones": {"table": 0, "partition": 0}}"#.to_owned();
    let operations = [
        format!(r#"{{"create_table": {{"table": 0, "shape": {shape}}}}}"#),
        insert(1, "a", 10, ""),
        insert(2, "b", 10, ""),
        insert(3, "c", 10, r#", "ttl_seconds": 1"#),
        on_table("flush"),
        r#"{"delete_row": {"table": 0, "partition": 0, "row": [1], "timestamp": 20}}"#.to_owned(),
        r#"{"delete_range": {"table": 0, "partition": 0, "slice": {"from": {"inclusive": 2},
        "to": {"exclusive": 3}}, "timestamp": 30}}"#
            .to_owned(),
        on_table("flush"),
        // The grace of both is not over.
        on_table("compact"),
        stones(),
        r#"{"pause": {"millis": 2500}}"#.to_owned(),
        // The grace is over; what is older lies in a memtable.
        insert(1, "d", 15, ""),
        on_table("compact"),
        stones(),
        r#"{"read": {"table": 0, "partition": 0}}"#.to_owned(),
        on_table("flush"),
        // All is merged now: the stones go. The marker of the expired row waits for the grace of its expiry.
        on_table("compact"),
        stones(),
        r#"{"read": {"table": 0, "partition": 0}}"#.to_owned(),
    ];
    golden!(
        "scenarios/run",
        "stones_and_what_keeps_them",
        "A tombstone story: what each compaction purges, and what grace and a memtable keep.",
        told(&plan("{}", &operations))
    );
}
