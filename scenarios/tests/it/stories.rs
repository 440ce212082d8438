//! Invariants of the stories: a burst of schema changes costs as many flushes as windows; a stone goes
//! when its grace is over and nothing older lies elsewhere, and not before; elements live and die alone.

use cenotaph::history::Event;
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
        let Event::Marked { at, mark, .. } = event else {
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

/// What the client asked and was told.
fn asked(plan: &Plan) -> String {
    let outcome = run(plan, &RunOptions::default());
    assert!(outcome.verdict.holds(), "{:?}", outcome.verdict.violations);
    let mut text = String::new();
    for event in outcome.history.events() {
        match event {
            Event::Invoked {
                operation, what, ..
            } if operation.client == 0 => text += &format!("{what}\n"),
            Event::Answered {
                operation, outcome, ..
            } if operation.client == 0 => text += &format!("  {outcome}\n"),
            _ => {}
        }
    }
    text
}

#[test]
fn elements_of_a_collection_live_and_die_alone() {
    let shape = r#"{"clustering": [["int", "asc"]], "statics": ["set<int>"], "regulars":
        ["map<text, text>", "list<text>", "struct<f0 text, f1 bigint>"]}"#;
    let write = |kind: &str, what: &str, timestamp: i64| {
        format!(
            r#"{{"{kind}": {{"table": 0, "partition": 0, "row": [1], {what}, "timestamp": {timestamp}}}}}"#
        )
    };
    let update = |elements: &str, timestamp: i64| {
        let what = format!(r#""cells": {{}}, "elements": {{{elements}}}"#);
        write("update", &what, timestamp)
    };
    let flush = || r#"{"flush": {"table": 0}}"#.to_owned();
    let read = || r#"{"read": {"table": 0, "partition": 0}}"#.to_owned();
    let stones = || r#"{"stones": {"table": 0, "partition": 0}}"#.to_owned();
    let drop = r#"{"drop_column": {"table": 0, "column": "v1", "dropped_micros": 35}}"#;
    let add = |of: &str| {
        format!(r#"{{"add_column": {{"table": 0, "column": "v1", "scalar_type": "{of}"}}}}"#)
    };
    let whole = r#""cells": {"s0": {"set": [-1, 3]}, "v0": {"map": [["a", "1"], ["b", "2"]]},
        "v1": {"list": ["x", "y"]}, "v2": {"struct": {"f0": "f", "f1": 7}}}"#;
    let operations = [
        format!(r#"{{"create_table": {{"table": 0, "shape": {shape}}}}}"#),
        write("insert", whole, 10),
        flush(),
        update(
            r#""v0": {"add": {"map": [["", "0"], ["b", "3"]]}}, "s0": {"remove": [3]}"#,
            20,
        ),
        update(
            r#""v1": {"add": {"list": ["z"]}}, "v2": {"fields": {"f0": null}}"#,
            20,
        ),
        update(r#""s0": {"add": {"set": [-70000, 5]}}"#, 20).replace(r#""row": [1], "#, ""),
        read(),
        flush(),
        write(
            "delete_cells",
            r#""columns": ["v2"], "elements": {"v0": ["a"]}"#,
            30,
        ),
        read(),
        // All that is older goes; what is older and comes later, too.
        write("update", r#""cells": {"v0": {"map": [["c", "4"]]}}"#, 40),
        update(r#""v0": {"add": {"map": [["d", "5"]]}}"#, 39),
        read(),
        stones(),
        drop.to_owned(),
        add("frozen<list<text>>"),
        add("list<text>"),
        update(r#""v1": {"add": {"list": ["w"]}}"#, 36),
        read(),
        r#"{"compact": {"table": 0}}"#.to_owned(),
        read(),
        stones(),
    ];
    golden!(
        "scenarios/run",
        "elements_live_and_die_alone",
        "Maps, sets, lists and structs: put, deleted, set whole, dropped and added again.",
        asked(&plan("{}", &operations))
    );
}
