//! Invariants of the ratchet: a list of old offences that may shrink and never grow.
//!
//! An entry excuses one file from one rule. An entry that excuses nothing any more is itself an
//! offence, so the list cannot keep what was mended; `COUNT_MAX` follows it down.

use crate::tree::Finding;

/// An excuse: rule and path.
pub(crate) type Entry = (&'static str, &'static str);

/// What is excused until it is mended.
pub(crate) const LIST: &[Entry] = &[];

/// Only ever lowered.
const COUNT_MAX: usize = 0;

/// Takes the excused findings out, and adds one for each entry that excuses nothing.
pub(crate) fn strike(list: &[Entry], rule: &str, findings: Vec<Finding>) -> Vec<Finding> {
    let excuses = |path: &str| list.contains(&(rule, path));
    let stale = list.iter().filter(|(name, path)| {
        *name == rule && findings.iter().all(|finding| finding.path != *path)
    });
    let stale: Vec<Finding> = stale.map(|(_, path)| stale_entry(path)).collect();
    findings
        .into_iter()
        .filter(|finding| !excuses(&finding.path))
        .chain(stale)
        .collect()
}

fn stale_entry(path: &str) -> Finding {
    let what = "is mended; take it off the ratchet and lower `COUNT_MAX`".to_owned();
    Finding {
        path: path.to_owned(),
        line: 1,
        what,
    }
}

#[test]
fn the_ratchet_only_shrinks() {
    assert_eq!(
        LIST.len(),
        COUNT_MAX,
        "the ratchet may lose entries, and `COUNT_MAX` with them"
    );
}

#[test]
fn an_entry_excuses_one_file_from_one_rule() {
    let finding = |path: &str| Finding {
        path: path.to_owned(),
        line: 7,
        what: String::new(),
    };
    let struck = strike(
        &[("size", "a.rs")],
        "size",
        vec![finding("a.rs"), finding("b.rs")],
    );
    assert_eq!(struck, [finding("b.rs")]);
    let other_rule = strike(&[("size", "a.rs")], "header", vec![finding("a.rs")]);
    assert_eq!(other_rule, [finding("a.rs")]);
}

#[test]
fn an_entry_that_excuses_nothing_is_an_offence() {
    assert_eq!(
        strike(&[("size", "a.rs")], "size", Vec::new()),
        [stale_entry("a.rs")]
    );
}
