//! Invariants tests of mistakes that such tries have been known to have.

use cenotaph_engine::trie::deletion_aware::merge::{Branches, Merged};
use cenotaph_engine::trie::deletion_aware::{
    DeletionAware, DeletionAwareList, DeletionsOnly, Node,
};
use cenotaph_engine::trie::list::Entry;
use cenotaph_engine::trie::range::{Place, Range, RangeCursor, RangeList};
use cenotaph_engine::trie::verify::{VerifiedDeletionAware, VerifiedRange};
use cenotaph_engine::trie::{Cursor, Direction};

use super::forms::{Source, delete, many, shown, source, source_at};
use crate::trie::support::{BOTH, both};

#[test]
fn a_merge_of_one_source_with_deletions_is_that_source() {
    let trie = source_at("pa@9 pz@8", &[("p", "c..h@5 x·7")]);
    let alone = shown(|direction| trie.cursor(direction));
    for branches in [Branches::Fixed, Branches::Anywhere] {
        assert_eq!(
            shown(|direction| many(&[&trie], branches, direction)),
            alone
        );
    }
}

#[test]
fn many_sources_of_which_one_has_deletions_merge() {
    let deleting = source_at("", &[("p", "c..h@5")]);
    let others = ["pd@4", "pe@6 q@1", "pd@5 pe@1"].map(|live| source(live, ""));
    let mut sources: Vec<_> = others.iter().collect();
    sources.insert(1, &deleting);
    for branches in [Branches::Fixed, Branches::Anywhere] {
        let merged = shown(|direction| many(&sources, branches, direction));
        assert_eq!(merged, "pe@6 q@1 | pc:-→5 ph:5→-");
    }
}

#[test]
fn the_branch_is_offered_in_the_direction_asked_for() {
    let first = source_at("pa@9", &[("p", "c..h@5")]);
    let second = source_at("pb@9", &[("p", "f..m@7")]);
    for direction in BOTH {
        let mut walk = many(&[&first, &second], Branches::Fixed, direction);
        assert!(walk.descend_along(b"p"));
        let branch = both(|to| walk.deletion_branch(to).expect("both have one"));
        assert_eq!(branch, "c:-→5 f:5→7 m:7→-");
        assert!(walk.tail(direction).deletion_branch(direction).is_some());
    }
}

#[test]
fn what_is_asked_and_how_often_changes_nothing() {
    let first = source_at("pa@9 pd@3", &[("p", "c..h@5")]);
    let second = source_at("pd@4 pe@6 q@1", &[("p", "e·8")]);
    for direction in BOTH {
        let walk = |asks: bool| {
            let mut walk = many(&[&first, &second], Branches::Fixed, direction);
            let mut found = Vec::new();
            while !walk.position().is_exhausted() {
                if asks {
                    for to in BOTH {
                        let _ = (walk.deletion_branch(to), walk.content(), walk.tail(to));
                    }
                }
                found.push((walk.position(), walk.content()));
                walk.advance();
            }
            found
        };
        assert_eq!(walk(true), walk(false));
    }
}

/// A source whose keys are bytes, with a range hung on each of some nodes.
fn hosts(hosts: &[&[u8]], start: Place, end: Place, state: u32) -> Source {
    let nodes = hosts.iter().map(|host| {
        let (start, end) = (start.clone(), end.clone());
        let range = Range { start, end, state };
        let deletions = Some(RangeList::of([range], []));
        Entry::new(
            *host,
            Node {
                live: None,
                deletions,
            },
        )
    });
    DeletionAwareList::new(nodes.collect(), delete).expect("hosts ascend")
}

#[test]
fn hoisting_goes_by_the_last_byte_and_ends() {
    let all: Vec<[u8; 2]> = (0..=255).map(|byte| [b'a', byte]).collect();
    let all: Vec<&[u8]> = all.iter().map(|host| &host[..]).collect();
    let lower = hosts(&all, Place::before([]), Place::after([]), 7);
    let upper = hosts(
        &[b"a"],
        Place::before([0xFF, 0xFF]),
        Place::after([0xFF, 0xFF]),
        9,
    );
    for direction in BOTH {
        let deletions = DeletionsOnly::new(VerifiedDeletionAware::new(lower.cursor(direction)));
        assert_eq!(count(VerifiedRange::new(deletions)), 512);
        let sources = [&upper, &lower].map(|trie| trie.cursor(direction));
        let merged = Merged::of_many(sources, Branches::Anywhere, u32::max, delete);
        let mut merged = VerifiedDeletionAware::new(merged);
        assert!(merged.descend_along(b"a"));
        let branch = merged.deletion_branch(direction).expect("hoisted");
        assert_eq!(
            count(branch),
            514,
            "all boundaries, and both of the upper range"
        );
        assert!(merged.skip_to(merged.position().beyond()).is_exhausted());
    }
}

fn count<R: RangeCursor>(mut ranges: R) -> usize {
    let mut count = 0;
    while !ranges.position().is_exhausted() {
        count += usize::from(ranges.content().is_some());
        ranges.advance();
    }
    count
}

#[test]
fn a_branch_that_covers_its_host_whole_ends_with_it() {
    let first = source_at("pa@3 pz@9 q@1", &[("p", "_..↑@5")]);
    let second = source_at("pb@4 pc@6 q@2", &[]);
    for branches in [Branches::Fixed, Branches::Anywhere] {
        let merged = shown(|d| many(&[&first, &second], branches, d));
        assert_eq!(merged, "pc@6 pz@9 q@2 | p:-→5 p↑:5→-");
    }
}

#[test]
fn a_branch_on_a_node_without_data_is_found() {
    let trie = source_at("a@1 z@1", &[("p", "c..h@5"), ("q", "d·3")]);
    assert_eq!(
        shown(|d| trie.cursor(d)),
        "a@1 z@1 | pc:-→5 ph:5→- qd:-→-·3"
    );
    let walk = trie.cursor(Direction::Reverse);
    assert!(walk.deletion_branch(Direction::Reverse).is_none());
}
