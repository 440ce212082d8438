//! Invariants of manifests: packages in a line, one set of lints, no unsafe code, versions in one place.

use super::rule::{Fake, Rule};
use crate::tree::{File, Finding, Tree};

/// The line of packages: each may depend on those before it. The goldens serve the tests of all.
const LINE: [(&str, &str); 4] = [
    ("sim", "cenotaph-sim"),
    ("engine", "cenotaph-engine"),
    ("scenarios", "cenotaph"),
    ("fuzz", "cenotaph-fuzz"),
];

/// Their exact versions are part of what a seed means.
const PINNED: [&str; 3] = ["rand", "rand_chacha", "arbitrary"];

pub(crate) const PACKAGES: Rule = Rule {
    name: "packages",
    mend: "turn the dependency round: sim, engine, scenarios, fuzz; each uses only those before it.",
    check: check_packages,
    offence: &[(
        "sim/Cargo.toml",
        "[package]\n[dev-dependencies]\ncenotaph-engine.workspace = true\n",
    )],
    offends_at: ("sim/Cargo.toml", 3),
};

pub(crate) const LINTS: Rule = Rule {
    name: "lints",
    mend: "write `[lints]`, `workspace = true`; at the top, `unsafe_code = \"forbid\"`.",
    check: check_lints,
    offence: &[("Cargo.toml", FORBIDS), ("fuzz/Cargo.toml", "[package]\n")],
    offends_at: ("fuzz/Cargo.toml", 1),
};

pub(crate) const VERSIONS: Rule = Rule {
    name: "versions",
    mend: "give the version in the root Cargo.toml, once, and inherit it; pin all chance with `=`.",
    check: check_versions,
    offence: &[(
        "engine/Cargo.toml",
        "[dependencies]\nbytes.workspace = true\nserde = \"1.0\"\n",
    )],
    offends_at: ("engine/Cargo.toml", 3),
};

const FORBIDS: &str = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";

/// `name = value` lines of a manifest, each with its section and line.
struct Entry<'a> {
    section: &'a str,
    name: &'a str,
    value: &'a str,
    line: usize,
}

impl Entry<'_> {
    /// The package that an entry of a table of dependencies names.
    fn dependency(&self) -> Option<&str> {
        let is_dependency = self.section.ends_with("dependencies");
        is_dependency.then(|| {
            self.name
                .split('.')
                .next()
                .expect("splitting yields at least one part")
        })
    }
}

fn entries<'a>(file: &File<'a>) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    let mut section = "";
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']);
        } else if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#'))
        {
            entries.push(Entry {
                section,
                name: name.trim(),
                value: value.trim(),
                line: index + 1,
            });
        }
    }
    entries
}

fn manifests<'t, 'a>(tree: &'t Tree<'a>) -> impl Iterator<Item = &'t File<'a>> {
    tree.files.iter().filter(|file| file.name() == "Cargo.toml")
}

fn check_packages(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in manifests(tree).filter(|file| file.folder() == file.package()) {
        // The package of goldens stands beside the line and uses none of it.
        let own_index = LINE
            .iter()
            .position(|(folder, _)| *folder == file.folder())
            .unwrap_or(0);
        for entry in entries(file) {
            let index = LINE
                .iter()
                .position(|(_, name)| entry.dependency() == Some(*name));
            // A package may name itself in its tests, to switch a feature on.
            let is_self = index == Some(own_index) && entry.section == "dev-dependencies";
            if index.is_some_and(|index| index >= own_index) && !is_self {
                findings.push(file.finding(entry.line, format!("depends on {}", entry.name)));
            }
        }
    }
    findings
}

fn check_lints(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in manifests(tree) {
        let has = |section: &str, name: &str, value: &str| {
            let mut entries = entries(file).into_iter();
            entries.any(|e| (e.section, e.name, e.value) == (section, name, value))
        };
        if file.folder().is_empty() {
            if !has("workspace.lints.rust", "unsafe_code", "\"forbid\"") {
                findings.push(file.finding(1, "does not forbid unsafe code"));
            }
        } else if !has("lints", "workspace", "true") {
            findings.push(file.finding(1, "does not take the lints of the workspace"));
        }
    }
    findings
}

fn check_versions(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    // `scenarios/peers` is a workspace of its own, with versions and a lock file of its own.
    for file in manifests(tree).filter(|file| !file.path.starts_with("scenarios/peers/")) {
        for entry in entries(file) {
            let Some(name) = entry.dependency() else {
                continue;
            };
            let inherits =
                entry.name.ends_with(".workspace") || entry.value.contains("workspace = true");
            if entry.section == "workspace.dependencies" {
                if PINNED.contains(&name) && !entry.value.contains("\"=") {
                    findings.push(file.finding(entry.line, format!("{name} is not pinned")));
                }
            } else if !inherits {
                findings
                    .push(file.finding(entry.line, format!("{name} does not inherit its version")));
            }
        }
    }
    findings
}

#[cfg(test)]
fn lines(check: fn(&Tree<'_>) -> Vec<Finding>, fake: Fake) -> Vec<usize> {
    check(&Tree::new([fake]))
        .iter()
        .map(|finding| finding.line)
        .collect()
}

#[test]
fn the_line_runs_one_way() {
    let deps = "[dependencies]\ncenotaph-sim.workspace = true\ncenotaph-engine = { workspace = true }\n\
                cenotaph.workspace = true\ncenotaph-snapshots.workspace = true\n";
    assert_eq!(lines(check_packages, ("sim/Cargo.toml", deps)), [2, 3, 4]);
    assert_eq!(lines(check_packages, ("engine/Cargo.toml", deps)), [3, 4]);
    assert_eq!(lines(check_packages, ("fuzz/Cargo.toml", deps)), []);
    assert_eq!(
        lines(check_packages, ("snapshots/Cargo.toml", deps)),
        [2, 3, 4]
    );
}

#[test]
fn the_workspace_forbids_unsafe_code() {
    assert_eq!(lines(check_lints, ("Cargo.toml", FORBIDS)), []);
    assert_eq!(
        lines(
            check_lints,
            (
                "Cargo.toml",
                "[workspace.lints.rust]\nunsafe_code = \"deny\"\n"
            )
        ),
        [1]
    );
}

#[test]
fn chance_is_pinned() {
    let loose = "[workspace.dependencies]\nserde = \"1.0\"\nrand = { version = \"0.10\" }\n";
    assert_eq!(lines(check_versions, ("Cargo.toml", loose)), [3]);
}
