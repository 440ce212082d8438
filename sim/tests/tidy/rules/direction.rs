//! Invariants of direction: a room imports only rooms that stand before it in `lib.rs`.

use super::rule::Rule;
use crate::paths::{heads_of_crate, modules_named};
use crate::tree::{File, Finding, Tree};

pub(crate) const ROOMS: Rule = Rule {
    name: "direction",
    mend: "move the code to the room that may have it, or the room's line in lib.rs.",
    check,
    offence: &[
        ("engine/src/lib.rs", "pub mod keys;\npub mod rows;\n"),
        (
            "engine/src/keys/mod.rs",
            "use super::keys;\nuse crate::{\n    keys::Key,\n    rows::Row};\n",
        ),
        ("engine/src/rows/mod.rs", "use crate::keys::Key;\n"),
    ],
    offends_at: ("engine/src/keys/mod.rs", 4),
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lib in tree
        .rust()
        .filter(|file| file.path == format!("{}/src/lib.rs", file.package()))
    {
        let rooms: Vec<&str> = modules_named(&lib.code)
            .iter()
            .map(|token| token.text)
            .collect();
        for file in tree.under(lib.folder()).filter(|file| file.is_rust()) {
            check_file(file, &rooms, &mut findings);
        }
    }
    findings
}

fn check_file(file: &File<'_>, rooms: &[&str], findings: &mut Vec<Finding>) {
    // A file without a room is the front page; one whose room is not listed is `reach`'s business.
    let Some(room) = file.room() else { return };
    let Some(own_index) = rooms.iter().position(|&name| name == room) else {
        return;
    };
    for head in heads_of_crate(&file.code, depth(file)) {
        match rooms.iter().position(|&name| name == head.name) {
            Some(index) if index <= own_index => {}
            Some(_) => {
                let what = format!("`{room}` uses `{}`, which stands after it", head.name);
                findings.push(file.finding(head.line, what));
            }
            None if head.is_macro => {}
            None => {
                let what = format!("`crate::{}` does not say which room it is from", head.name);
                findings.push(file.finding(head.line, what));
            }
        }
    }
}

/// How many modules stand above the items of a file: see [`heads_of_crate`].
fn depth(file: &File<'_>) -> usize {
    let inside = file
        .path
        .split_once("/src/")
        .map_or("", |(_, inside)| inside);
    inside.split('/').filter(|part| *part != "mod.rs").count()
}

#[cfg(test)]
fn objections(keys: &str) -> usize {
    let tree = Tree::new([
        (
            "engine/src/lib.rs",
            "pub mod keys;\n#[cfg(x)]\npub mod rows;\n",
        ),
        ("engine/src/keys/part.rs", keys),
    ]);
    check(&tree).len()
}

#[test]
fn every_way_to_a_later_room_is_seen() {
    assert_eq!(objections("use crate::rows;"), 1);
    assert_eq!(objections("use crate::{keys, rows::{A, B}};"), 1);
    assert_eq!(objections("fn f() { crate::rows::g() }"), 1);
    assert_eq!(objections("use super::super::rows;"), 1);
    assert_eq!(
        objections("macro_rules! m { () => { $crate::rows::g() } }"),
        1
    );
    assert_eq!(
        objections("mod inner { use super::super::super::rows; }"),
        1
    );
}

#[test]
fn the_root_does_not_hide_a_room() {
    assert_eq!(objections("use crate::*;"), 1);
    assert_eq!(objections("use crate::Reexported;"), 1);
    assert_eq!(objections("fn f() { crate::exported_macro!() }"), 0);
}

#[test]
fn what_is_said_in_prose_is_free() {
    assert_eq!(
        objections("//! See [`crate::rows`].\nconst X: &str = \"crate::rows\";"),
        0
    );
    assert_eq!(
        objections("pub(crate) use super::other; use super::super::keys;"),
        0
    );
}
