//! Steps of explaining the format of plans on one page: fields, operations, faults, bounds and knobs,
//! with the bounds that the loader has and examples that it reads.

use std::fmt::Write as _;

use super::bounds;
use super::fault::{FileRole, IoKind};
use super::json;
use super::knob_table::{self, Knob};
use super::knobs::Knobs;

/// Examples of operations, with what each does.
const OPERATIONS: &[(&str, &str)] = &[
    (
        r#"{"create_table":{"table":0,"shape":{"clustering":[["int","asc"]],"statics":["text"],"regulars":["text","bigint"],"gc_grace_seconds":5}}}"#,
        "clustering, statics and the grace may be left out; clustering columns are int, bigint or text, \
         asc or desc, and cells bigint, text or blob. A table is created with the same shape everywhere",
    ),
    (
        r#"{"create_table":{"table":1,"shape":{"regulars":["text","map<int, text>","struct<f0 text, f1 blob>"],"purge":{"only_repaired":true,"overlapping":"row"}}}}"#,
        "cells may be collections, too, of int, bigint, text or blob. `purge` may be left out: whether only \
         repaired files forget (only_purge_repaired_tombstones), and which tombstones of other files count, \
         none, row or cell (provide_overlapping_tombstones)",
    ),
    (
        r#"{"create_table":{"table":2,"shape":{"regulars":["set<text>","list<bigint>","frozen<map<text, text>>"]}}}"#,
        "what is frozen is written whole",
    ),
    (
        r#"{"add_column":{"table":0,"column":"v2","scalar_type":"text"}}"#,
        "columns are v0, v1, .. in the order of `regulars`, and s0",
    ),
    (
        r#"{"drop_column":{"table":0,"column":"v1","dropped_micros":9}}"#,
        "what was written before this time goes; v0 stays in every table",
    ),
    (r#"{"drop_table":{"table":0}}"#, "the table and its rows go"),
    (
        r#"{"insert":{"table":0,"partition":1,"row":[2],"cells":{"v0":"a"},"timestamp":5,"ttl_seconds":3}}"#,
        "a row marker and cells; without `row` static cells only. Every value is written once in a plan",
    ),
    (
        r#"{"update":{"table":0,"partition":1,"row":[2],"cells":{"v0":"b"},"timestamp":6}}"#,
        "cells, no row marker; a blob is {\"blob\":\"00ff\"}",
    ),
    (
        r#"{"insert":{"table":1,"partition":1,"row":[],"cells":{"v1":{"map":[[1,"c"]]},"v2":{"struct":{"f0":"d"}}},"timestamp":5}}"#,
        "collections, written whole: keys ascend. `row` is [] in a table without clustering columns",
    ),
    (
        r#"{"insert":{"table":2,"partition":1,"row":[],"cells":{"v0":{"set":["x"]},"v1":{"list":[8,7]},"v2":{"frozen":{"map":[["k","e"]]}}},"timestamp":5}}"#,
        "every collection",
    ),
    (
        r#"{"update":{"table":1,"partition":1,"row":[],"cells":{},"elements":{"v1":{"add":{"map":[[2,"f"]]}},"v2":{"fields":{"f0":null}}},"timestamp":6}}"#,
        "elements alone: `add` to a map, a set or a list, `fields` of a struct; a field that is set to null is \
         deleted, and nothing else in a plan is null",
    ),
    (
        r#"{"update":{"table":2,"partition":1,"row":[],"cells":{},"elements":{"v0":{"remove":["x"]}},"timestamp":6}}"#,
        "`remove` from a map or a set, by key",
    ),
    (
        r#"{"delete_cells":{"table":0,"partition":1,"row":[2],"columns":["v0"],"timestamp":7}}"#,
        "a tombstone each; with `elements`, as in {\"v1\":[2]}, of single entries of a map",
    ),
    (
        r#"{"delete_row":{"table":0,"partition":1,"row":[2],"timestamp":7}}"#,
        "of a table with clustering columns",
    ),
    (
        r#"{"delete_range":{"table":0,"partition":1,"slice":{"from":{"exclusive":2},"to":{"inclusive":5}},"timestamp":7}}"#,
        "`from` and `to` bound the first clustering column, or the second when `prefix` names the first",
    ),
    (
        r#"{"delete_partition":{"table":0,"partition":1,"timestamp":7}}"#,
        "static cells go, too",
    ),
    (
        r#"{"read":{"table":0,"partition":1,"slice":{"prefix":[2]},"order":"desc","limit":3}}"#,
        "slice, order and limit may be left out",
    ),
    (r#""describe""#, "reads which tables and columns there are"),
    (r#"{"flush":{"table":0}}"#, "of the memtable of a table"),
    (
        r#"{"compact":{"table":0}}"#,
        "of all sstables of a table; forgets what may be forgotten",
    ),
    (r#"{"truncate":{"table":0}}"#, "all rows go"),
    (
        r#"{"mark_repaired":{"table":0}}"#,
        "what the table has in files counts as repaired, for tables that forget nothing else",
    ),
    (
        r#"{"stones":{"table":0,"partition":1}}"#,
        "reads the deletions stored of a partition",
    ),
    (
        r#"{"set_schema_flush_window":{"millis":100}}"#,
        "how long a schema change waits for its flush from now on",
    ),
    (
        r#""system_schema""#,
        "reads the schema's own rows, and the schema beside them",
    ),
    (
        r#""drain""#,
        "the node flushes everything and stops; it is started again",
    ),
    (
        r#"{"pause":{"millis":10}}"#,
        "the client waits; nothing is asked of the database",
    ),
];

/// Examples of faults, with what each does.
const FAULTS: &[(&str, &str)] = &[
    (
        r#"{"at":"1500ms","kind":{"crash":{"kind":"power","restart_after_millis":20}}}"#,
        "a kill loses nothing that was written, a panic the page cache, power tears requests in flight, too",
    ),
    (
        r#"{"at":"n1/2/commitlog/sync/3","kind":"fail_sync"}"#,
        "the sync fails, and what it should have saved is lost",
    ),
    (
        r#"{"at":"n1/1/data/write/0","kind":"disk_error"}"#,
        "the operation fails with EIO",
    ),
    (
        r#"{"at":"n1/1/data/write/1","kind":"no_space"}"#,
        "the operation fails with ENOSPC",
    ),
    (
        r#"{"at":"n1/2/17","kind":{"crash":{"kind":"kill","restart_after_millis":0}}}"#,
        "inside the recovery of the second incarnation, when it asks its disk for so little",
    ),
    (
        r#"{"at":"c0o3","kind":{"partition":{"client":0,"duration_millis":30}}}"#,
        "no packet passes between that client and the node",
    ),
    (
        r#"{"at":"c0o3","kind":{"partition":{"client":0,"duration_millis":30,"way":"to-node","packets":"held"}}}"#,
        "`way` is both, to-node or from-node; `packets` are lost (those in flight, too), sent-lost (those in \
         flight arrive) or held (and arrive all at once when the way opens)",
    ),
    (
        r#"{"at":"1500ms","kind":{"swizzle":{"duration_millis":100}}}"#,
        "the links of some machines are clogged, one machine after the other, and unclogged in another order; a \
         clogged link holds its packets",
    ),
    (
        r#"{"at":"n1/1/data/sync/0","kind":{"pause":{"duration_millis":50}}}"#,
        "nothing of the node runs: its timers are late and its packets queue, while what it asked of its disk \
         is done",
    ),
    (
        r#"{"at":"1500ms","kind":{"clock_drift":{"ppm":-500000,"duration_millis":800}}}"#,
        "the node's wall clock gains, or loses, for a while; what it gained stays gained",
    ),
    (
        r#"{"at":"c0o3","kind":{"clock_jump":{"millis":-1000}}}"#,
        "of the node's wall clock",
    ),
    (
        r#"{"at":"c0o3","kind":{"drop_packets":{"count":2}}}"#,
        "the next packets are lost",
    ),
    (
        r#"{"at":"c0o3","kind":"evict_cache"}"#,
        "the page cache is written back and forgotten",
    ),
];

/// An example of knobs.
const KNOBS: &str = r#"{"engine":{"commitlog_mode":"group"},"world":{"network_loss":"1/100"}}"#;

/// Columns of a line of the page.
const WIDTH: usize = 100;

/// The page.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "A plan is everything that decides a run: a JSON object. `cenotaph replay PLAN.json` runs it.\n\
         Nothing in it is null, a number is an integer, and a field that is unknown is an error.\n\nfields\n",
    );
    let clients = &bounds::CLIENTS;
    let fields = [
        ("format", "1".to_owned()),
        (
            "scenario",
            "name of a scenario: `cenotaph list` has them".to_owned(),
        ),
        (
            "run_key",
            "key of all chance in the run, 0 or more; the seed, in the plan of a seed, until shrinking changes it".to_owned(),
        ),
        (
            "knobs",
            format!("{KNOBS}; where they differ from their defaults"),
        ),
        (
            "bug",
            "a planted bug: `cenotaph planted --list` has them; may be left out".to_owned(),
        ),
        (
            "clients",
            format!(
                "{} to {} lists of at most {} operations, each begun after the answer to the one before",
                clients.start(),
                clients.end(),
                bounds::OPERATIONS_MAX
            ),
        ),
        (
            "faults",
            format!("at most {}; may be left out", bounds::FAULTS_MAX),
        ),
    ];
    for (name, about) in fields {
        let _ = writeln!(page, "  {name:<10}{about}");
    }
    page.push_str(
        "\noperations: an object with one name, or the name alone where nothing belongs to it\n",
    );
    examples(&mut page, OPERATIONS);
    page.push_str("\nfaults: each strikes once, when its anchor is reached\n");
    examples(&mut page, FAULTS);
    anchors(&mut page);
    numbers(&mut page);
    page.push_str("\nknobs: `cenotaph run SCENARIO --set KNOB=VALUE` turns one\n");
    page + &knobs()
}

fn examples(page: &mut String, examples: &[(&str, &str)]) {
    for (example, about) in examples {
        let _ = writeln!(page, "  {example}");
        for line in wrapped(about, WIDTH - 6) {
            let _ = writeln!(page, "      {line}");
        }
    }
}

fn anchors(page: &mut String) {
    let (machine, incarnation) = (bounds::MACHINE, bounds::INCARNATION);
    let roles: Vec<&str> = FileRole::ALL.iter().map(|role| role.name()).collect();
    let kinds: Vec<&str> = IoKind::ALL.iter().map(|kind| kind.name()).collect();
    let _ = write!(
        page,
        "\nanchors: when a fault strikes\n  \
         1500ms                 virtual time since the run began, in {}ms\n  \
         c1o17                  when client 1 begins its operation 17, both from 0\n  \
         n1/2/17                the eighteenth disk operation of the node's second incarnation: machine {},\n      \
         incarnation {}, number {}; the first are those of its boot\n  \
         n1/2/commitlog/sync/3  the fourth sync of a commit log file there: the same with file and operation\n      \
         files: {}\n",
        of(&bounds::ANCHOR_MILLIS),
        machine.start(),
        of(&incarnation),
        of(&bounds::ORDINAL),
        roles.join(", "),
    );
    let operations = format!("operations: {}", kinds.join(", "));
    for line in wrapped(&operations, WIDTH - 6) {
        let _ = writeln!(page, "      {line}");
    }
}

fn of<T: std::fmt::Display>(range: &std::ops::RangeInclusive<T>) -> String {
    format!("{}..={}", range.start(), range.end())
}

fn numbers(page: &mut String) {
    page.push_str("\nbounds\n");
    let bounds = [
        ("table", of(&bounds::TABLE_NUMBER)),
        ("clustering columns", of(&bounds::CLUSTERING_COUNT)),
        ("static columns", of(&bounds::STATICS_COUNT)),
        ("regular columns", of(&bounds::REGULARS_COUNT)),
        ("number of a regular column", of(&bounds::REGULAR_INDEX)),
        (
            "bytes of a value",
            format!("0..={}", bounds::VALUE_SIZE_MAX),
        ),
        ("timestamp, dropped_micros", of(&bounds::TIMESTAMP)),
        ("ttl_seconds", of(&bounds::TTL_SECONDS)),
        ("gc_grace_seconds", of(&bounds::GC_GRACE_SECONDS)),
        ("limit", of(&bounds::LIMIT)),
        ("millis of a pause", of(&bounds::PAUSE_MILLIS)),
        ("millis of a window", of(&bounds::FLUSH_WINDOW_MILLIS)),
        ("restart_after_millis", of(&bounds::DOWN_MILLIS)),
        ("duration_millis of a fault", of(&bounds::FAULT_MILLIS)),
        ("ppm of a clock drift", of(&bounds::CLOCK_DRIFT_PPM)),
        ("millis of a clock jump", of(&bounds::CLOCK_MILLIS)),
        ("count of dropped packets", of(&bounds::DROPPED_COUNT)),
        ("bytes of a plan", format!("0..={}", bounds::TEXT_SIZE_MAX)),
    ];
    for (name, range) in bounds {
        let _ = writeln!(page, "  {name:<39}{range}");
    }
}

/// The knobs: name, default, values, and what each does.
#[must_use]
pub fn knobs() -> String {
    let defaults = json::full(&Knobs::default());
    let mut text = String::new();
    let sections = [
        ("engine", knob_table::of_engine()),
        ("world", knob_table::of_world()),
    ];
    for (section, knobs) in sections {
        let _ = writeln!(text, "  {section}");
        for (name, values, about) in knobs as Vec<Knob> {
            let default = match &defaults[section][name] {
                serde_json::Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            let values = format!("{values} (by default {default})");
            for (index, line) in wrapped(&values, WIDTH - 31).iter().enumerate() {
                let name = if index == 0 { name } else { "" };
                let _ = writeln!(text, "    {name:<27}{line}");
            }
            for line in wrapped(about, WIDTH - 8) {
                let _ = writeln!(text, "        {line}");
            }
        }
    }
    text
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one line at least");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + word.len() < width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
