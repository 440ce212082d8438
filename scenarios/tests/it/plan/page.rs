//! Invariants of the page about plans: it leaves nothing out, its examples are read as they stand, and
//! knobs take what it says and nothing else.

use std::collections::BTreeSet;

use cenotaph::plan::{Fault, FaultKind, Knobs, Operation, Plan, knobs_page, page};
use cenotaph::run::{RunOptions, run};
use cenotaph_snapshots::golden;

/// The examples of a part of the page.
fn examples(part: &str) -> Vec<String> {
    let page = page();
    let lines = page
        .lines()
        .skip_while(|line| !line.starts_with(part))
        .skip(1);
    let examples = lines
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    examples.map(|line| line.trim().to_owned()).collect()
}

/// The names that a reader of operations or faults knows.
fn known<T: serde::de::DeserializeOwned>() -> BTreeSet<String> {
    let error = serde_json::from_str::<T>(r#""no_such_name""#)
        .err()
        .expect("there is no such name");
    let names: Vec<String> = error.to_string().split('`').map(str::to_owned).collect();
    names.into_iter().skip(3).step_by(2).collect()
}

fn names(values: impl Iterator<Item = serde_json::Value>) -> BTreeSet<String> {
    let name = |value: serde_json::Value| match value {
        serde_json::Value::String(name) => name,
        serde_json::Value::Object(object) => object.keys().next().expect("a name").clone(),
        other => panic!("{other} has no name"),
    };
    values.map(name).collect()
}

#[test]
fn every_operation_and_fault_has_an_example_that_is_read_as_it_stands() {
    let operations = examples("operations");
    for example in &operations {
        let operation: Operation = serde_json::from_str(example).expect(example);
        assert_eq!(&serde_json::to_string(&operation).unwrap(), example);
    }
    let parsed = operations
        .iter()
        .map(|example| serde_json::from_str(example).unwrap());
    assert_eq!(names(parsed), known::<Operation>());
    assert!(known::<Operation>().len() >= 20);

    let faults = examples("faults");
    let mut kinds = Vec::new();
    for example in &faults {
        let fault: Fault = serde_json::from_str(example).expect(example);
        assert_eq!(&serde_json::to_string(&fault).unwrap(), example);
        kinds.push(serde_json::to_value(&fault.kind).unwrap());
    }
    assert_eq!(names(kinds.into_iter()), known::<FaultKind>());
}

#[test]
fn all_examples_together_are_one_plan_that_is_loaded_as_it_stands() {
    let list = |part| examples(part).join(",");
    let (operations, faults) = (list("operations"), list("faults"));
    let text = format!(
        r#"{{"format":1,"scenario":"by-hand","run_key":7,"clients":[[{operations}]],"faults":[{faults}]}}"#
    );
    let plan = Plan::from_json("page.json", &text).expect("the page's own plan");
    assert!(run(&plan, &RunOptions::default()).verdict.holds());
}

#[test]
fn knobs_take_what_the_page_says_and_nothing_else() {
    // Lines that go on stand below the first value.
    let text = knobs_page().replace("\n                               ", " ");
    let mut told = Vec::new();
    for line in text
        .lines()
        .filter(|line| line.starts_with("    ") && !line.starts_with("     "))
    {
        let (name, rest) = line.trim().split_once(' ').expect("a name and values");
        let (values, default) = rest.trim().split_once(" (by default ").expect("a default");
        told.push(name.to_owned());
        let set = |value: &str| Knobs::default().set(name, value);
        let mut unchanged = Knobs::default();
        unchanged
            .set(name, default.trim_end_matches(')'))
            .expect(line);
        assert_eq!(unchanged, Knobs::default(), "{line}");
        let number = |text: &str| text.parse::<i128>().expect("a number");
        if let Some((first, last)) = values.split_once("..=") {
            let (never, first) = match first.strip_prefix("0 or ") {
                Some(first) => (true, number(first)),
                None => (false, number(first)),
            };
            for inside in [first, number(last)] {
                set(&inside.to_string()).expect(line);
            }
            for outside in [first - 1, number(last) + 1] {
                assert!(set(&outside.to_string()).is_err(), "{line}: {outside}");
            }
            assert_eq!(set("0").is_ok(), never || first <= 0, "{line}");
        } else if values.starts_with("a ratio") {
            set("0/1").and_then(|()| set("1/1")).expect(line);
            assert!(set("3/2").is_err(), "{line}");
        } else {
            let words: BTreeSet<String> = values.split(", ").map(str::to_owned).collect();
            let error = set("no-such-word").unwrap_err().to_string();
            let known = error.split('`').map(str::to_owned).skip(5).step_by(2);
            assert_eq!(known.collect::<BTreeSet<_>>(), words, "{error}");
        }
    }
    told.sort();
    let mut names = Knobs::names();
    names.sort();
    assert_eq!(told, names);
    let example = page();
    let example = example
        .lines()
        .find_map(|line| line.strip_prefix("  knobs     "));
    let (example, _) = example
        .expect("a line")
        .split_once("; ")
        .expect("an example");
    let knobs: Knobs = serde_json::from_str(example).expect(example);
    assert_ne!(knobs, Knobs::default());
}

#[test]
fn the_page_is_one_text() {
    golden!(
        "scenarios/plan",
        "page",
        "The format of plans on one page: fields, operations, faults, anchors, bounds, knobs.",
        page()
    );
}
