//! Invariants of formats: a page that defines bytes has a golden that freezes them.

use super::golden::Golden;
use super::rule::Rule;
use crate::tree::{File, Finding, Tree};

pub(crate) const FORMATS: Rule = Rule {
    name: "formats",
    mend: "add a golden of annotated hex to the room's folder under snapshots/, or name it in the page.",
    check,
    offence: &[
        ("engine/src/record/FORMAT.md", "# Records\n"),
        (
            "snapshots/engine/record/story.snap",
            "---\n\n---\nno bytes here\n",
        ),
    ],
    offends_at: ("engine/src/record/FORMAT.md", 1),
};

/// So many bytes in a row, as pairs of hex digits, make a line a line of hex.
const HEX_PAIR_COUNT_MIN: usize = 4;

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let pages = tree.files.iter().filter(|file| file.name() == "FORMAT.md");
    let loose = pages.filter(|page| !is_frozen(tree, page));
    loose
        .map(|page| page.finding(1, "no golden freezes the bytes of this page"))
        .collect()
}

fn is_frozen(tree: &Tree<'_>, page: &File<'_>) -> bool {
    let room = page.folder().replacen("/src/", "/", 1);
    let folder = format!("snapshots/{room}/");
    tree.under("snapshots").any(|file| {
        let stem = file.name().trim_end_matches(".snap");
        (file.path.starts_with(&folder) || names(page.text, stem))
            && Golden::parse(file).is_some_and(|golden| golden.body.lines().any(is_hex))
    })
}

/// Whether the page names the golden, as a whole word.
fn names(page: &str, stem: &str) -> bool {
    page.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == stem)
}

/// `de ad be ef`, `deadbeef`, or either with text around it.
fn is_hex(line: &str) -> bool {
    let mut pair_count = 0;
    for word in line.split_whitespace() {
        let is_bytes = word.len().is_multiple_of(2) && word.bytes().all(|b| b.is_ascii_hexdigit());
        pair_count = if is_bytes {
            pair_count + word.len() / 2
        } else {
            0
        };
        if pair_count >= HEX_PAIR_COUNT_MIN {
            return true;
        }
    }
    false
}

#[test]
fn hex_is_told_from_prose() {
    assert!(is_hex("0000  de ad be ef  magic"));
    assert!(is_hex("magic deadbeef"));
    assert!(!is_hex("de ad magic be ef"));
    assert!(!is_hex("a face as added"));
}

#[test]
fn a_page_may_name_a_golden_that_stands_elsewhere() {
    let golden = (
        "snapshots/engine/other/bytes_1.snap",
        "---\nsource: a\n---\ndeadbeef\n",
    );
    let objections =
        |page| check(&Tree::new([("engine/src/record/FORMAT.md", page), golden])).len();
    assert_eq!(objections("Frozen by `bytes_1`."), 0);
    assert_eq!(objections("Frozen by `bytes_12`."), 1);
}

#[test]
fn a_golden_in_the_rooms_folder_needs_no_name() {
    let golden = (
        "snapshots/engine/record/v/a.snap",
        "---\nsource: a\n---\n00 01 02 03\n",
    );
    assert_eq!(
        check(&Tree::new([("engine/src/record/FORMAT.md", "#"), golden])),
        []
    );
}
