//! Invariants tests of data that is passed over whole: what covers a branch and is newer than all of it.

use std::cell::Cell;

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::deletion_aware::LiveOnly;
use cenotaph_engine::trie::deletion_aware::merge::{Branches, Merged};
use cenotaph_engine::trie::verify::Verified;
use cenotaph_engine::trie::walk::{Counted, Entries};

use super::forms::{Source, delete, merged, source, source_at};
use crate::trie::support::BOTH;

/// `count` old rows, all but the last deleted by another source's range.
fn old_and_new(count: usize, is_dated: bool) -> (Source, Source) {
    let rows: Vec<String> = (0..count).map(|n| format!("k{n:06}@3")).collect();
    let last = format!("{:06}", count - 1);
    let old = source_at(&rows.join(" "), &[]);
    let new = source("", &format!("k..k{last}@5"));
    let dated = |trie: Source| {
        if is_dated {
            trie.dated(|time| *time)
        } else {
            trie
        }
    };
    (dated(old), dated(new))
}

/// Nodes of the data visited, and data found to be shadowed, up to the first live row.
fn cost(count: usize, is_dated: bool, direction: Direction) -> (u64, u64) {
    let (old, new) = old_and_new(count, is_dated);
    let stops = Cell::new(0);
    let sources = [&old, &new].map(|trie| Counted::new(trie.cursor(direction), &stops));
    let merge = Merged::of_many(sources, Branches::Fixed, u32::max, delete);
    let mut live = Entries::new(Verified::new(LiveOnly::new(merge)));
    assert_eq!(live.next_content(), Some(3));
    if direction == Direction::Reverse {
        assert_eq!(live.next_content(), None);
    }
    (stops.get(), live.cursor().inner().shadowed_count())
}

#[test]
fn a_covering_deletion_passes_over_a_source_at_once() {
    for direction in BOTH {
        let (few, _) = cost(100, true, direction);
        let (many, shadowed) = cost(10_000, true, direction);
        assert_eq!(shadowed, 0);
        assert!(
            many <= few + 8,
            "{many} stops among 10,000, {few} among 100"
        );
    }
}

#[test]
fn shadowed_data_that_cannot_be_passed_over_is_counted() {
    for direction in BOTH {
        let (stops, shadowed) = cost(1_000, false, direction);
        assert_eq!(shadowed, 999);
        assert!(stops >= 999);
    }
}

#[test]
fn a_source_with_one_newer_row_is_passed_over_around_it() {
    let mut rows: Vec<String> = (0..1_000).map(|n| format!("k{n:03}@3")).collect();
    rows[500] = "k500@9".to_owned();
    let old = source(&rows.join(" "), "").dated(|time| *time);
    let new = source("", "k..l@5");
    for direction in BOTH {
        let stops = Cell::new(0);
        let sources = [&old, &new].map(|trie| Counted::new(trie.cursor(direction), &stops));
        let merge = Merged::of_many(sources, Branches::Fixed, u32::max, delete);
        let live: Vec<_> = Entries::new(LiveOnly::new(merge)).collect();
        assert_eq!(live, [(b"k500".to_vec(), 9)]);
        assert!(stops.get() < 100, "{} stops", stops.get());
    }
}

#[test]
fn passing_over_changes_no_answer() {
    let make = |is_dated: bool| {
        let dated = |trie: Source| {
            if is_dated {
                trie.dated(|time| *time)
            } else {
                trie
            }
        };
        [
            dated(source("a@1 b@2 ba@9 bb@3 c@4 dd@2", "c..d@3 e·5")),
            dated(source("bc@1 e@4 e@5 f@1", "b..c@4 dd..e@2")),
            dated(source("aa@1 bb@8 x@1", "_..b@1")),
        ]
    };
    let (plain, dated) = (make(false), make(true));
    let plain: Vec<_> = plain.iter().collect();
    let dated: Vec<_> = dated.iter().collect();
    assert_eq!(
        merged(&dated, Branches::Anywhere),
        merged(&plain, Branches::Anywhere)
    );
}
