//! Invariants of place: the top level is a short list, and no file knows the machine it was written on.

use std::collections::BTreeSet;

use super::rule::Rule;
use crate::tree::{Finding, Tree};

/// All that the top level may hold.
const ALLOWED: [&str; 16] = [
    ".cargo",
    ".ci",
    ".clippy.toml",
    ".gitattributes",
    ".gitignore",
    ".rustfmt.toml",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "engine",
    "fuzz",
    "scenarios",
    "sim",
    "snapshots",
];

/// Folders that exist on one machine and not on the next, with the slash after each left out.
const FOREIGN_FOLDERS: [&str; 6] = ["tmp", "home", "root", "work", "Users", "mnt"];

pub(crate) const TOP_LEVEL: Rule = Rule {
    name: "top-level",
    mend: "put it into the package it belongs to.",
    check: check_top_level,
    offence: &[("notes.md", "")],
    offends_at: ("notes.md", 1),
};

pub(crate) const MACHINE_PATHS: Rule = Rule {
    name: "machine-paths",
    mend: "use a path relative to the top level, or a temporary directory asked of the system.",
    check: check_machine_paths,
    offence: &[(
        "README.md",
        concat!("Fine.\nSee /", "home/someone/notes.\n"),
    )],
    offends_at: ("README.md", 2),
};

fn check_top_level(tree: &Tree<'_>) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let foreign = tree.files.iter().filter(|file| {
        let name = file.package();
        !ALLOWED.contains(&name) && seen.insert(name)
    });
    foreign
        .map(|file| file.finding(1, "the top level has no place for it"))
        .collect()
}

fn check_machine_paths(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(folder) = foreign_folder(line) {
                let what = format!("names a path of one machine, under `{folder}`");
                findings.push(file.finding(index + 1, what));
            }
        }
    }
    findings
}

/// A slash that begins a path, one of the folders, and another slash.
fn foreign_folder(line: &str) -> Option<&'static str> {
    let begins = |at: usize| {
        line[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && !"._-/})*".contains(c))
    };
    let slashes = line.match_indices('/').filter(|&(at, _)| begins(at));
    slashes.into_iter().find_map(|(at, _)| {
        FOREIGN_FOLDERS.into_iter().find(|folder| {
            line[at + 1..]
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        })
    })
}

#[test]
fn a_path_inside_the_tree_is_no_path_of_a_machine() {
    assert_eq!(foreign_folder("data/tmp/1-2.sst and n1/root/x"), None);
    assert_eq!(foreign_folder("https://example.org/home/page"), None);
    assert_eq!(foreign_folder("./tmp/x ../other/y $HOME/.cargo"), None);
    assert_eq!(foreign_folder(concat!("\"/", "tmp/x\"")), Some("tmp"));
    assert_eq!(
        foreign_folder(concat!("at /", "root/.cargo/registry")),
        Some("root")
    );
}

#[test]
fn a_stranger_on_the_top_level_is_named_once() {
    let tree = Tree::new([("docs/a.md", ""), ("docs/b.md", ""), ("sim/src/lib.rs", "")]);
    assert_eq!(check_top_level(&tree).len(), 1);
}
