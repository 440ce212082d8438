//! Invariants of errors: each names the file, the place and the cause.

use cenotaph::plan::Plan;
use cenotaph_snapshots::golden;

use super::small;

/// The plan's text with one part replaced.
fn with(part: &str, by: &str) -> String {
    let text = small::plan().to_json();
    assert!(text.contains(part), "the small plan has no {part}");
    text.replacen(part, by, 1)
}

#[test]
fn a_corrupt_plan_gives_a_clear_error() {
    let cases = [
        (
            "cut off",
            small::plan().to_json().split_at(300).0.to_owned(),
        ),
        ("another format", with("\"format\": 1", "\"format\": 2")),
        ("an unknown field", with("\"timestamp\":5", "\"time\":5")),
        ("an unknown knob", with("commitlog_mode", "commitlog_mood")),
        (
            "an unknown operation",
            with("delete_row", "delete_everything"),
        ),
        ("a float", with("\"timestamp\":5", "\"timestamp\":5.5")),
        ("a bad ratio", with("1/100", "5/3")),
        (
            "a bad column",
            with("\"v0\":\"c1o0a\"", "\"v00\":\"c1o0a\""),
        ),
        ("a bad blob", with("00ff", "0ff")),
        (
            "a forbidden time",
            with("\"timestamp\":5", "\"timestamp\":-9223372036854775808"),
        ),
        ("a value twice", with("c1o3a", "c1o0a")),
        (
            "a value of another type",
            with("\"v0\":\"c1o3a\"", "\"v0\":17"),
        ),
        ("a short row", with("\"row\":[1,\"b\"]", "\"row\":[1]")),
        (
            "a wrong clustering type",
            with("\"prefix\":[1]", "\"prefix\":[\"1\"]"),
        ),
        (
            "another shape",
            with("\"table\":8,\"shape\"", "\"table\":7,\"shape\""),
        ),
        (
            "a column of no row",
            with("\"cells\":{\"s0\"", "\"cells\":{\"v1\":1,\"s0\""),
        ),
        (
            "no client of that number",
            with("\"client\":0", "\"client\":2"),
        ),
        ("a limit of nothing", with("\"limit\":3", "\"limit\":0")),
        ("no such bug", with("\"P02\"", "\"P99\"")),
        ("a strange name", with("crash-without-drain", "crash; rm")),
    ];
    let mut text = String::new();
    let cases = cases
        .into_iter()
        .chain(of_faults())
        .chain(of_deletions())
        .chain(of_form());
    for (name, broken) in cases {
        let error = Plan::from_json("plan.json", &broken).unwrap_err();
        text += &format!("{name}\n  {error}\n");
    }
    golden!(
        "scenarios/plan",
        "errors",
        "Errors name the file, the place and the cause.",
        text
    );
}

/// Of faults, their anchors and what they strike.
fn of_faults() -> Vec<(&'static str, String)> {
    vec![
        (
            "a bad anchor",
            with("n1/2/commitlog/sync/3", "n1/2/commitlog/sink/3"),
        ),
        ("an operation that there is not", with("c1o4", "c1o400")),
        ("a bad number", with("n1/2/17", "n1/two/17")),
        ("another machine", with("n1/2/17", "n2/2/17")),
        (
            "a pause of no time",
            with(
                "{\"pause\":{\"duration_millis\":50}}",
                "{\"pause\":{\"duration_millis\":0}}",
            ),
        ),
        (
            "a jump by nothing",
            with("\"millis\":-2000", "\"millis\":0"),
        ),
        ("a drift by nothing", with("\"ppm\":-500000", "\"ppm\":0")),
        ("a drift back", with("\"ppm\":-500000", "\"ppm\":-1000000")),
        ("a strange way", with("to-node", "sideways")),
    ]
}

/// Of what the reader of JSON objects to, in its own words about types.
fn of_form() -> Vec<(&'static str, String)> {
    let operation = |text: &str| {
        format!(r#"{{"format":1,"scenario":"rows","run_key":1,"clients":[[{text}]],"faults":[]}}"#)
    };
    vec![
        ("not JSON", "format: 1".to_owned()),
        ("a list", "[]".to_owned()),
        (
            "no clients",
            r#"{"format":1,"scenario":"rows","run_key":1}"#.to_owned(),
        ),
        (
            "a text for a number",
            operation(r#"{"pause":{"millis":"10"}}"#),
        ),
        (
            "a number too large",
            operation(r#"{"flush":{"table":70000}}"#),
        ),
        (
            "a number below zero",
            operation(r#"{"flush":{"table":-1}}"#),
        ),
        (
            "a field twice",
            operation(r#"{"flush":{"table":0,"table":1}}"#),
        ),
        ("a field that is missing", operation(r#"{"flush":{}}"#)),
        ("no object", operation(r#"{"flush":0}"#)),
        ("a number for an operation", operation("17")),
        ("a name alone", operation(r#""flush""#)),
        ("a name with a value", operation(r#"{"drain":{}}"#)),
        ("a name with nothing", operation(r#"{"drain":null}"#)),
        (
            "a field of nothing",
            operation(r#"{"read":{"table":0,"partition":1,"limit":null}}"#),
        ),
        (
            "a truth for a value",
            operation(
                r#"{"insert":{"table":0,"partition":1,"row":[true],"cells":{},"timestamp":1}}"#,
            ),
        ),
        (
            "a column without order",
            operation(
                r#"{"create_table":{"table":0,"shape":{"clustering":[["int"]],"regulars":["text"]}}}"#,
            ),
        ),
        ("a list for an object", operation(r#"{"insert":[]}"#)),
        (
            "no such type",
            operation(r#"{"create_table":{"table":0,"shape":{"regulars":["varint"]}}}"#),
        ),
    ]
}

/// Of what makes things go by themselves.
fn of_deletions() -> Vec<(&'static str, String)> {
    vec![
        (
            "no time to live",
            with("\"ttl_seconds\":3", "\"ttl_seconds\":0"),
        ),
        (
            "a grace of centuries",
            with("\"gc_grace_seconds\":5", "\"gc_grace_seconds\":4000000000"),
        ),
        (
            "the column that stays",
            with(
                "\"drop_column\":{\"table\":7,\"column\":\"v2\"",
                "\"drop_column\":{\"table\":7,\"column\":\"v0\"",
            ),
        ),
        (
            "a column of another type",
            with(
                "{\"drop_table\":{\"table\":7}}",
                "{\"add_column\":{\"table\":7,\"column\":\"v2\",\"scalar_type\":\"blob\"}}",
            ),
        ),
        (
            "an endless window",
            with("{\"millis\":100}}", "{\"millis\":4000000}}"),
        ),
        (
            "a compaction of one",
            with(
                "\"compaction_sstables_min\":4",
                "\"compaction_sstables_min\":1",
            ),
        ),
    ]
}
