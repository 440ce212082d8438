//! Invariants of headers: a file says what it is about before anything else.

use super::rule::Rule;
use crate::tree::{File, Finding, Tree};

const KINDS: [&str; 6] = [
    "Contents",
    "Steps",
    "Invariants",
    "Byte layout",
    "Fault policy",
    "Vocabulary",
];

pub(crate) const HEADER: Rule = Rule {
    name: "header",
    mend: "open the file with `//!` and one of: Contents of (a mod.rs, naming its folder), Steps, \
           Invariants of, Byte layout of, Fault policy, Vocabulary of; then say of what.",
    check,
    offence: &[(
        "sim/src/disk/crash.rs",
        "use std::io;\n//! Steps: too late.\n",
    )],
    offends_at: ("sim/src/disk/crash.rs", 1),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let missing = tree
        .rust()
        .filter(|file| !is_header(file, file.text.lines().next()));
    missing
        .map(|file| file.finding(1, "does not open with a header of a known kind"))
        .collect()
}

fn is_header(file: &File<'_>, line: Option<&str>) -> bool {
    let Some(header) = line.and_then(|line| line.strip_prefix("//! ")) else {
        return false;
    };
    if file.name() == "mod.rs" {
        let folder = file
            .folder()
            .rsplit('/')
            .next()
            .expect("splitting yields at least one part");
        return header
            .strip_prefix("Contents of ")
            .is_some_and(|told| told.contains(folder));
    }
    KINDS
        .iter()
        .filter_map(|kind| header.strip_prefix(kind))
        .any(|told| told.starts_with([' ', ':']) && told.split_whitespace().count() > 1)
}

#[test]
fn the_kinds_are_told_apart_from_chatter() {
    let objections = |path, text| check(&Tree::new([(path, text)])).len();
    assert_eq!(objections("a/src/b.rs", "//! Invariants of time.\n"), 0);
    assert_eq!(
        objections("a/src/b.rs", "//! Steps from seed to plan: draw.\n"),
        0
    );
    assert_eq!(
        objections("a/src/b.rs", "//! Fault policy: a torn page is told.\n"),
        0
    );
    assert_eq!(
        objections("a/src/b.rs", "//! This module holds helpers.\n"),
        1
    );
    assert_eq!(objections("a/src/b.rs", "//! Steps: draw, run.\n"), 0);
    assert_eq!(objections("a/src/b.rs", "//! Steps\n"), 1);
    assert_eq!(objections("a/src/b.rs", "//! Invariantsof time.\n"), 1);
    assert_eq!(objections("a/src/b.rs", "/// Steps: one.\n"), 1);
    assert_eq!(objections("a/src/b.rs", ""), 1);
}

#[test]
fn a_table_of_contents_names_its_folder() {
    let objections = |text| check(&Tree::new([("a/src/disk/mod.rs", text)])).len();
    assert_eq!(objections("//! Contents of `disk`: registers.\n"), 0);
    assert_eq!(objections("//! Contents of the tests of `disk`.\n"), 0);
    assert_eq!(objections("//! Contents of `network`: links.\n"), 1);
    assert_eq!(objections("//! Invariants of disks.\n"), 1);
}
