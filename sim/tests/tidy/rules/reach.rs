//! Invariants of reach: every source file is named by a `mod` line on the way from a crate's root.
//!
//! A file that no `mod` names is not compiled, not tested and not linted, and reads as if it were.

use std::collections::BTreeSet;

use super::rule::Rule;
use crate::paths::modules_named;
use crate::tree::{File, Finding, Tree};

pub(crate) const REACH: Rule = Rule {
    name: "reach",
    mend: "name the file with a `mod` line in its parent, or delete it.",
    check,
    offence: &[
        ("sim/src/lib.rs", "pub mod disk;\n"),
        ("sim/src/disk/mod.rs", "// mod lost;\nmod found;\n"),
        ("sim/src/disk/found.rs", ""),
        ("sim/src/disk/lost.rs", ""),
    ],
    offends_at: ("sim/src/disk/lost.rs", 1),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut reached = BTreeSet::new();
    for root in tree.rust().filter(|file| is_root(file.path)) {
        reach(tree, root, root.folder(), &mut reached);
    }
    let lost = tree.rust().filter(|file| !reached.contains(file.path));
    let lost = lost.map(|file| file.finding(1, "no `mod` line leads here, so it is not compiled"));
    lost.chain(tree.rust().flat_map(detours)).collect()
}

/// Cargo finds these by itself, or by the `path` of a fuzz target.
fn is_root(path: &str) -> bool {
    let Some((_package, inside)) = path.split_once('/') else {
        return false;
    };
    // A workspace of its own, with packages in its folder and right below.
    if let Some(inside) = path.strip_prefix("scenarios/peers/") {
        return is_root_inside(inside)
            || inside
                .split_once('/')
                .is_some_and(|(_, inside)| is_root_inside(inside));
    }
    is_root_inside(inside)
}

/// Whether a path inside of a package is one that Cargo finds.
fn is_root_inside(inside: &str) -> bool {
    let parts: Vec<&str> = inside.split('/').collect();
    match parts[..] {
        ["src", "lib.rs" | "main.rs"] | ["build.rs"] => true,
        ["tests" | "benches" | "examples" | "fuzz_targets", name] => name.ends_with(".rs"),
        ["tests" | "benches" | "examples", _, "main.rs"] => true,
        ["src", "bin", name] => name.ends_with(".rs"),
        ["src", "bin", _, "main.rs"] => true,
        _ => false,
    }
}

/// Follows the `mod` lines of `file`, whose children stand in `folder`.
fn reach<'a>(tree: &Tree<'a>, file: &File<'a>, folder: &str, reached: &mut BTreeSet<&'a str>) {
    if !reached.insert(file.path) {
        return;
    }
    for module in modules_named(&file.code) {
        let inner = format!("{folder}/{}", module.text);
        for path in [format!("{inner}.rs"), format!("{inner}/mod.rs")] {
            if let Some(child) = tree.find(&path) {
                reach(tree, child, &inner, reached);
            }
        }
    }
}

/// `#[path = …]` lets a file stand where nobody looks for it.
fn detours(file: &File<'_>) -> Vec<Finding> {
    let attributes = file.code.windows(4).filter(|four| {
        four[0].is_sign("#")
            && four[1].is_sign("[")
            && four[2].is_word("path")
            && four[3].is_sign("=")
    });
    attributes
        .map(|four| file.finding(four[2].line, "`#[path]` hides where the file is"))
        .collect()
}

#[test]
fn modules_are_followed_to_any_depth_and_roots_stand_alone() {
    let tree = Tree::new([
        ("sim/src/lib.rs", "pub mod a;"),
        ("sim/src/a.rs", "mod b;"),
        ("sim/src/a/b/mod.rs", "mod c;"),
        ("sim/src/a/b/c.rs", ""),
        ("sim/tests/alone.rs", ""),
        ("sim/tests/it/main.rs", "mod a;"),
        ("sim/tests/it/a.rs", ""),
        ("fuzz/fuzz_targets/a.rs", ""),
        ("scenarios/peers/src/bin/a.rs", ""),
        ("scenarios/peers/part/src/main.rs", "mod a;"),
        ("scenarios/peers/part/src/a.rs", ""),
        ("scenarios/peers/src/bin/a/main.rs", "mod b;"),
        ("scenarios/peers/src/bin/a/b.rs", ""),
    ]);
    assert_eq!(check(&tree), []);
}

#[test]
fn a_detour_is_an_offence() {
    let tree = Tree::new([("sim/src/lib.rs", "\n#[path = \"elsewhere.rs\"]\nmod a;")]);
    assert_eq!(check(&tree)[0].line, 2);
}
