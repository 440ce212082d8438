//! Invariants of goldens: each says what it proves, and stands in the folder of the room it proves.

use super::rule::Rule;
use crate::tree::{File, Finding, Tree};

pub(crate) const GOLDENS: Rule = Rule {
    name: "goldens",
    mend: "write it with `golden!(\"package/room\", case, \"What it proves.\", text)`.",
    check,
    offence: &[
        ("engine/src/record/mod.rs", ""),
        ("engine/tests/it/record.rs", ""),
        (
            "snapshots/engine/record/a.snap",
            "---\nsource: engine/tests/it/record.rs\n---\ntext\n",
        ),
    ],
    offends_at: ("snapshots/engine/record/a.snap", 1),
};

/// What the package of goldens holds beside goldens: its code, and the plans of found failures, which
/// a test runs.
fn is_code(file: &File<'_>) -> bool {
    let is_plan = file.path.starts_with("snapshots/failures/") && file.path.ends_with(".json");
    is_plan
        || file.path == "snapshots/Cargo.toml"
        || file.path.starts_with("snapshots/src/")
        || file.path.starts_with("snapshots/tests/")
}

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let goldens = tree.under("snapshots").filter(|file| !is_code(file));
    goldens.flat_map(|file| check_golden(tree, file)).collect()
}

fn check_golden(tree: &Tree<'_>, file: &File<'_>) -> Vec<Finding> {
    let Some(golden) = Golden::parse(file) else {
        return vec![file.finding(1, "is no golden: it has no metadata between two `---`")];
    };
    let mut wrong = Vec::new();
    match golden.field("description") {
        Some(told) if told.trim_end_matches('"').ends_with('.') => {}
        _ => wrong.push("has no sentence that says what it proves".to_owned()),
    }
    if golden.field("expression").is_some() {
        wrong.push("repeats the expression that made it".to_owned());
    }
    match golden.field("source") {
        Some(source) if tree.find(source).is_some() => {}
        source => wrong.push(format!(
            "comes from `{}`, which is gone",
            source.unwrap_or("?")
        )),
    }
    if !has_room(tree, file) {
        wrong.push("stands in a folder that mirrors no room".to_owned());
    }
    wrong
        .into_iter()
        .map(|what| file.finding(1, what))
        .collect()
}

/// `snapshots/engine/record/…` mirrors `engine/src/record/` or `engine/src/record.rs`.
fn has_room(tree: &Tree<'_>, file: &File<'_>) -> bool {
    let parts: Vec<&str> = file.path.split('/').collect();
    let [_snapshots, package, room, ..] = parts[..] else {
        return false;
    };
    let folder = format!("{package}/src/{room}");
    tree.find(&format!("{folder}.rs")).is_some() || tree.under(&folder).next().is_some()
}

/// A golden as insta writes it: metadata lines between two `---`, then the text.
pub(super) struct Golden<'a> {
    metadata: &'a str,
    pub(super) body: &'a str,
}

impl<'a> Golden<'a> {
    pub(super) fn parse(file: &File<'a>) -> Option<Golden<'a>> {
        if !file.path.ends_with(".snap") {
            return None;
        }
        let (metadata, body) = file.text.strip_prefix("---\n")?.split_once("\n---\n")?;
        Some(Golden { metadata, body })
    }

    fn field(&self, name: &str) -> Option<&'a str> {
        let mut lines = self.metadata.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

#[cfg(test)]
fn objections(path: &str, metadata: &str) -> usize {
    let text = format!("---\nsource: engine/tests/it.rs\n{metadata}---\nbody\n");
    let tree = Tree::new([
        ("engine/src/record/mod.rs", ""),
        ("engine/src/limits.rs", ""),
        ("engine/tests/it.rs", ""),
        (path, text.as_str()),
    ]);
    check(&tree).len()
}

#[test]
fn a_golden_tells_what_it_proves_in_a_sentence() {
    let path = "snapshots/engine/record/a.snap";
    assert_eq!(
        objections(path, "description: A torn tail ends the segment.\n"),
        0
    );
    assert_eq!(objections(path, "description: \"Quoted: it ends.\"\n"), 0);
    assert_eq!(objections(path, "description: no sentence\n"), 1);
    assert_eq!(objections(path, "description: One.\nexpression: text\n"), 1);
}

#[test]
fn a_golden_stands_where_its_room_stands() {
    assert_eq!(
        objections("snapshots/engine/limits/a.snap", "description: One.\n"),
        0
    );
    assert_eq!(
        objections("snapshots/engine/gone/a.snap", "description: One.\n"),
        1
    );
    assert_eq!(objections("snapshots/a.snap", "description: One.\n"), 1);
    assert_eq!(
        objections("snapshots/engine/record/a.txt", "description: One.\n"),
        1
    );
}
