//! Vocabulary of the small plan's columns with many cells, and what is wrong with others.

use cenotaph::plan::Plan;
use cenotaph_snapshots::golden;

/// What the small plan says of them: a table with each type, then everything that writes one.
const OPERATIONS: &str = r#"[
{"create_table": {"table": 9, "shape": {"clustering": [["int", "asc"]], "statics": ["set<text>"],
    "regulars": ["map<int, text>", "list<bigint>", "struct<f0 text, f1 blob>"]}}},
{"add_column": {"table": 9, "column": "v3", "scalar_type": "frozen<map<text, text>>"}},
{"insert": {"table": 9, "partition": 3, "row": [1], "timestamp": 5, "cells": {
    "s0": {"set": ["", "x"]}, "v0": {"map": [[-1, "m1"], [2, "m2"]]}, "v1": {"list": [1002, 1001]},
    "v2": {"struct": {"f1": {"blob": "00fe"}}}, "v3": {"frozen": {"map": [["a", "m1"]]}}}}},
{"insert": {"table": 9, "partition": 3, "row": [1], "timestamp": 5, "cells": {"v0": {"map": []}}}},
{"update": {"table": 9, "partition": 3, "row": [1], "timestamp": 6, "cells": {"v1": {"list": [1003]}},
    "elements": {"s0": {"remove": ["x"]}, "v0": {"add": {"map": [[2, "m3"]]}},
    "v2": {"fields": {"f0": "m4", "f1": null}}}, "ttl_seconds": 3}},
{"update": {"table": 9, "partition": 3, "timestamp": 6, "cells": {},
    "elements": {"s0": {"add": {"set": ["y"]}}}}},
{"update": {"table": 9, "partition": 3, "row": [1], "timestamp": 6, "cells": {},
    "elements": {"v0": {"remove": [-1, 2]}, "v1": {"add": {"list": [1004, 1000]}}}}},
{"delete_cells": {"table": 9, "partition": 3, "row": [1], "columns": ["v1"], "elements": {"v0": [2]},
    "timestamp": 7}}
]"#;

fn text(operations: &str) -> String {
    format!(
        r#"{{"format": 1, "scenario": "none", "run_key": 4, "clients": [{operations}], "faults": []}}"#
    )
}

fn plan(operations: &str) -> Plan {
    Plan::from_json("plan.json", &text(operations)).expect("a plan")
}

#[test]
fn collections_are_text_for_people() {
    let plan = plan(OPERATIONS);
    let json = plan.to_json();
    assert_eq!(Plan::from_json("again", &json).as_ref(), Ok(&plan));
    assert_eq!(plan.clone().clamped(), plan);
    let operations = plan.clients[0].iter();
    let cql: Vec<String> = operations
        .map(|operation| format!("{operation}\n"))
        .collect();
    golden!(
        "scenarios/plan",
        "collections",
        "Columns with many cells as JSON and as CQL.",
        format!("{json}\n{}", cql.concat())
    );
}

#[test]
fn what_is_wrong_with_a_collection_is_said() {
    let cases = [
        ("a type of types", "map<int, text>", "map<int, set<text>>"),
        ("values too few", "list<bigint>", "list<int>"),
        (
            "keys out of order",
            r#"[[-1, "m1"], [2, "m2"]]"#,
            r#"[[2, "m2"], [-1, "m1"]]"#,
        ),
        ("a key twice", r#"["", "x"]"#, r#"["x", "x"]"#),
        ("a key of another type", r#"[2, "m2"]"#, r#"["k", "m2"]"#),
        (
            "a list for a map",
            r#""v0": {"map": []}"#,
            r#""v0": {"list": []}"#,
        ),
        (
            "a map that is not frozen",
            r#"{"frozen": {"map": [["a", "m1"]]}}"#,
            r#"{"map": [["a", "m9"]]}"#,
        ),
        (
            "a collection of no kind",
            r#"{"list": [1003]}"#,
            r#"{"bag": [1003]}"#,
        ),
        ("a field that is none", r#""f0": "m4""#, r#""f2": "m4""#),
        ("a value twice", r#"[2, "m3"]"#, r#"[2, "m1"]"#),
        (
            "whole and in part",
            r#""cells": {"v1": {"list": [1003]}}"#,
            r#""cells": {"v0": {"map": []}}"#,
        ),
        (
            "nothing removed",
            r#"{"remove": ["x"]}"#,
            r#"{"remove": []}"#,
        ),
        (
            "an element of a list by key",
            r#""elements": {"v0": [2]}"#,
            r#""elements": {"v2": [2]}"#,
        ),
        (
            "deleted whole and in part",
            r#""columns": ["v1"]"#,
            r#""columns": ["v0"]"#,
        ),
        (
            "a field added to",
            r#"{"add": {"set": ["y"]}}"#,
            r#"{"fields": {"f0": "y"}}"#,
        ),
    ];
    let mut told = String::new();
    for (name, part, by) in cases {
        assert!(OPERATIONS.contains(part), "{name}: there is no {part}");
        let error = Plan::from_json("plan.json", &text(&OPERATIONS.replacen(part, by, 1)));
        let error = error.expect_err(name);
        told += &format!("{name}\n  {error}\n");
    }
    golden!(
        "scenarios/plan",
        "errors_of_collections",
        "Errors of columns with many cells name the place and the cause.",
        told
    );
}
