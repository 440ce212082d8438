//! Invariants tests of several tries as one.

use std::cell::Cell;

use cenotaph_engine::trie::list::ListCursor;
use cenotaph_engine::trie::merge::{Merge, MergeMany};
use cenotaph_engine::trie::verify::Verified;
use cenotaph_engine::trie::{Cursor, Direction};

use super::support::{BOTH, descend, held, keys, list, stop, stops, words};
use Direction::{Forward, Reverse};

#[test]
fn what_both_hold_goes_through_the_resolver() {
    let (left, right) = (list(&[("a", 1), ("c", 2)]), list(&[("b", 3), ("c", 4)]));
    let calls = Cell::new(0);
    let larger = |a: u32, b: u32| {
        calls.set(calls.get() + 1);
        a.max(b)
    };
    let merged = Merge::new(left.cursor(Forward), right.cursor(Forward), larger);
    assert_eq!(held(merged), "a=1 b=3 c=4");
    assert_eq!(calls.get(), 1);
    let both = [left.cursor(Reverse), right.cursor(Reverse)];
    assert_eq!(held(MergeMany::new(both, larger)), "c=4 b=3 a=1");
    assert_eq!(calls.get(), 2);
}

#[test]
fn several_levels_at_once_are_not_for_walks_that_stand_together() {
    let (left, right) = (words("a"), words("bb"));
    let mut passed = Vec::new();
    let two = || Merge::new(left.cursor(Forward), right.cursor(Forward), u32::max);
    let mut pair = Verified::new(two());
    assert_eq!(stop(pair.advance_multiple(&mut passed)), "(1,a)");
    assert_eq!(keys(two()), "a bb");
    let mut many = Verified::new(MergeMany::new(
        [left.cursor(Forward), right.cursor(Forward)],
        u32::max,
    ));
    assert_eq!(stop(many.advance_multiple(&mut passed)), "(1,a)");
    assert_eq!(passed, b"");
}

#[test]
fn walks_that_are_over_change_nothing() {
    let full = words("ab ac b");
    let empty = list::<u32>(&[]);
    for direction in BOTH {
        for place in 0..5 {
            let sources = (0..5).map(|n| if n == place { &full } else { &empty });
            let cursors = sources.map(|trie| Verified::new(trie.cursor(direction)));
            let merged = MergeMany::new(cursors, u32::max);
            assert_eq!(stops(merged), stops(full.cursor(direction)));
        }
    }
}

#[test]
fn a_merge_of_one_is_that_one() {
    let trie = words("ab ac b");
    for direction in BOTH {
        let merged = MergeMany::new([trie.cursor(direction)], u32::max);
        assert_eq!(stops(merged), stops(trie.cursor(direction)));
    }
}

#[test]
fn a_tail_of_a_merge_merges_tails_of_those_that_are_there() {
    let tries = ["tree trie", "trie trim", "tap"].map(words);
    let cursors = |direction| tries.each_ref().map(|trie| trie.cursor(direction));
    for direction in BOTH {
        let mut many = Verified::new(MergeMany::new(cursors(direction), u32::max));
        descend(&mut many, "tr");
        assert_eq!(keys(many.tail(Forward)), "ee ie im");
        assert_eq!(keys(many.tail(Reverse)), "im ie ee");
        let [first, second, _] = cursors(direction);
        let mut two = Verified::new(Merge::new(first, second, u32::max));
        descend(&mut two, "tri");
        assert_eq!(keys(two.tail(Reverse)), "m e");
        descend(&mut two, "e");
        assert_eq!(keys(two.tail(Reverse)), ".");
    }
}

#[test]
fn a_skip_moves_every_source() {
    let tries = ["aa ab ba", "ab bb", "aa bc", "c"].map(words);
    let after = |key: &str| {
        let cursors: [ListCursor<'_, u32>; 4] = tries.each_ref().map(|t| t.cursor(Forward));
        let mut cursor = Verified::new(MergeMany::new(cursors, u32::max));
        cursor.descend_along(key.as_bytes());
        stop(cursor.position())
    };
    assert_eq!(after("ab"), "(2,b)");
    assert_eq!(after("ac"), "(1,b)");
    assert_eq!(after("bbx"), "(2,c)");
    assert_eq!(after("bd"), "(1,c)");
    assert_eq!(after("d"), "end");
}
