//! Invariants tests of walks over one trie.

use cenotaph_engine::trie::list::{Entry, List, ListCursor, ListError};
use cenotaph_engine::trie::verify::Verified;
use cenotaph_engine::trie::view::{Mapped, Prefixed};
use cenotaph_engine::trie::walk::{Entries, Tails};
use cenotaph_engine::trie::{Cursor, Direction, Position};

use super::support::{BOTH, descend, held, keys, list, stop, stops, words};
use Direction::{Forward, Reverse};

#[test]
fn a_walk_stops_at_each_node_before_its_children() {
    let trie = words("ab ac b");
    assert_eq!(
        stops(trie.cursor(Forward)),
        "(0) (1,a) (2,b)* (2,c)* (1,b)*"
    );
}

#[test]
fn a_descending_walk_takes_children_from_the_last() {
    let trie = words("ab ac b");
    assert_eq!(
        stops(trie.cursor(Reverse)),
        "(0) (1,b)* (1,a) (2,c)* (2,b)*"
    );
}

#[test]
fn an_ordered_walk_descends_through_prefixes_after_what_they_begin() {
    let trie = words("a ab c");
    let walk = stops(trie.ordered_cursor(Reverse));
    assert_eq!(walk, "(0) (1,c)↑* (1,a) (2,b)↑* (1,a)↑*");
    assert_eq!(keys(trie.ordered_cursor(Reverse)), "c ab a");
    assert_eq!(keys(trie.cursor(Reverse)), "c a ab");
    assert_eq!(keys(trie.ordered_cursor(Forward)), "a ab c");
}

#[test]
fn several_levels_at_once_name_the_bytes_passed() {
    for direction in BOTH {
        let trie = words("tr tractor");
        let mut cursor = Verified::new(trie.cursor(direction));
        let mut passed = Vec::new();
        assert_eq!(stop(cursor.advance_multiple(&mut passed)), "(2,r)");
        assert_eq!(passed, b"t");
        passed.clear();
        assert_eq!(stop(cursor.advance_multiple(&mut passed)), "(7,r)");
        assert_eq!(passed, b"acto");
        passed.clear();
        assert_eq!(stop(cursor.advance_multiple(&mut passed)), "end");
        assert_eq!(passed, b"");
    }
}

#[test]
fn a_skip_lands_on_the_first_position_after_what_is_not_there() {
    let trie = words("ab ac b");
    let mut cursor = Verified::new(trie.cursor(Forward));
    descend(&mut cursor, "ab");
    assert_eq!(
        stop(cursor.skip_to(Position::node(2, b'd', Forward))),
        "(1,b)"
    );
}

#[test]
fn a_skip_beyond_all_is_the_end() {
    let trie = words("ab ac b");
    let mut cursor = Verified::new(trie.cursor(Forward));
    descend(&mut cursor, "ab");
    assert_eq!(
        stop(cursor.skip_to(Position::node(1, b'c', Forward))),
        "end"
    );
}

#[test]
fn a_branch_at_the_last_byte_can_be_skipped() {
    let trie = List::new(vec![Entry::new([0xFF, 0x01], ())]).expect("it is one");
    let mut cursor = Verified::new(trie.cursor(Forward));
    assert!(cursor.descend_along(&[0xFF]));
    assert!(cursor.skip_to(cursor.position().beyond()).is_exhausted());
}

#[test]
fn a_branch_at_the_first_byte_can_be_skipped_descending() {
    let entries = vec![Entry::new([0x00, 0x05], ()), Entry::new([0x01], ())];
    let trie = List::new(entries).expect("they ascend");
    let mut cursor = Verified::new(trie.cursor(Reverse));
    assert!(cursor.descend_along(&[0x00]));
    assert!(cursor.skip_to(cursor.position().beyond()).is_exhausted());
}

#[test]
fn a_tail_is_the_branch_below_in_either_direction() {
    let trie = words("tree trie");
    for source in BOTH {
        let mut cursor = Verified::new(trie.cursor(source));
        descend(&mut cursor, "tr");
        assert_eq!(keys(cursor.tail(Reverse)), "ie ee");
        assert_eq!(keys(cursor.tail(Forward)), "ee ie");
        assert_eq!(stop(cursor.position()), "(2,r)", "it has not moved");
    }
}

#[test]
fn an_empty_trie_is_its_root() {
    for direction in BOTH {
        let trie = list::<u32>(&[]);
        let mut cursor = Verified::new(trie.cursor(direction));
        assert_eq!(stop(cursor.position()), "(0)");
        assert_eq!(cursor.content(), None);
        assert!(cursor.advance().is_exhausted());
    }
}

#[test]
fn the_empty_key_is_held_by_the_root() {
    for direction in BOTH {
        assert_eq!(stops(list(&[(".", 1)]).cursor(direction)), "(0)*");
        assert_eq!(
            stops(list(&[(".", 1), ("a", 2)]).cursor(direction)),
            "(0)* (1,a)*"
        );
    }
    let trie = list(&[(".", 1), ("a", 2)]);
    assert_eq!(stops(trie.ordered_cursor(Reverse)), "(0) (1,a)↑* (0)↑*");
}

#[test]
fn a_walk_that_is_ahead_of_a_request_stays() {
    let trie = words("a c");
    let mut cursor = Verified::new(trie.cursor(Reverse));
    descend(&mut cursor, "c");
    let request = |byte| Position::node(1, byte, Reverse);
    assert_eq!(stop(cursor.skip_to_when_ahead(request(b'd'))), "(1,c)");
    assert_eq!(stop(cursor.skip_to_when_ahead(request(b'b'))), "(1,a)");
}

#[test]
fn a_key_that_is_not_there_leaves_the_walk_after_it() {
    let trie = words("abc abe b");
    let found = |key: &str, direction| {
        let mut cursor = Verified::new(trie.cursor(direction));
        (
            cursor.descend_along(key.as_bytes()),
            stop(cursor.position()),
        )
    };
    assert_eq!(found("abe", Forward), (true, "(3,e)".to_owned()));
    assert_eq!(found("abd", Forward), (false, "(3,e)".to_owned()));
    assert_eq!(found("abd", Reverse), (false, "(3,c)".to_owned()));
    assert_eq!(found("abf", Forward), (false, "(1,b)".to_owned()));
    assert_eq!(found("ac", Reverse), (false, "(2,b)".to_owned()));
    assert_eq!(found("c", Forward), (false, "end".to_owned()));
}

#[test]
fn a_walk_goes_on_from_where_a_seek_has_led() {
    let trie = words("abc abe b");
    let from = |key: &str, direction| {
        let mut entries = Entries::new(Verified::new(trie.cursor(direction)));
        entries.seek(key.as_bytes());
        let keys = entries.map(|(key, _)| String::from_utf8(key).expect("it is text"));
        keys.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(from("abd", Forward), "abe b");
    assert_eq!(from("abd", Reverse), "abc");
    assert_eq!(from("abe", Forward), "abe b");
    assert_eq!(from("aaa", Reverse), "");
    assert_eq!(from("aaa", Forward), "abc abe b");
}

#[test]
fn a_single_entry_is_a_trie() {
    let entry = Entry::new("xy", 5);
    for direction in BOTH {
        let single = ListCursor::single(&entry, direction);
        assert_eq!(held(single.clone()), "xy=5");
        let mut inside = Verified::new(single);
        descend(&mut inside, "x");
        assert_eq!(held(inside.tail(direction)), "y=5");
        assert_eq!(
            held(inside.tail(direction).tail(direction.opposite())),
            "y=5"
        );
    }
}

#[test]
fn a_prefix_precedes_every_key() {
    let trie = words(". a ab c");
    for direction in BOTH {
        for prefix in ["", "p", "pq", "pqr"] {
            let plain = super::support::entries(trie.cursor(direction));
            let expected: Vec<_> = plain
                .into_iter()
                .map(|(key, n)| (format!("{prefix}{key}"), n))
                .collect();
            let prefixed = Prefixed::new(prefix.as_bytes(), trie.cursor(direction));
            assert_eq!(super::support::entries(prefixed), expected);
        }
    }
}

#[test]
fn a_tail_within_a_prefix_keeps_the_rest_of_it() {
    let trie = words("a c");
    for direction in BOTH {
        let mut prefixed = Verified::new(Prefixed::new(b"pq", trie.cursor(direction)));
        assert_eq!(keys(prefixed.tail(Reverse)), "pqc pqa");
        prefixed.advance();
        assert_eq!(keys(prefixed.tail(Reverse)), "qc qa");
        assert_eq!(keys(prefixed.tail(Forward)), "qa qc");
        prefixed.advance();
        assert_eq!(keys(prefixed.tail(Forward)), "a c");
        prefixed.advance();
        assert_eq!(keys(prefixed.tail(Forward)), ".");
    }
}

#[test]
fn a_prefix_is_skipped_like_any_path() {
    let trie = words("a c");
    for direction in BOTH {
        let begun = || Verified::new(Prefixed::new(b"mq", trie.cursor(direction)));
        let (before, after) = match direction {
            Forward => (b'l', b'n'),
            Reverse => (b'n', b'l'),
        };
        let node = |depth, byte| Position::node(depth, byte, direction);
        assert_eq!(stop(begun().skip_to(node(1, before))), "(1,m)");
        assert_eq!(stop(begun().skip_to(node(1, after))), "end");
        let mut cursor = begun();
        assert!(cursor.descend_along(b"mq"));
        assert_eq!(
            stop(cursor.skip_to(node(3, b'b'))),
            match direction {
                Forward => "(3,c)",
                Reverse => "(3,a)",
            }
        );
        assert!(cursor.skip_to(node(2, b'q').on_return()).is_exhausted());
    }
}

#[test]
fn mapped_content_may_be_dropped() {
    let trie = words("a b c d");
    let even = Mapped::new(trie.cursor(Forward), |n: u32| {
        n.is_multiple_of(2).then(|| n * 10)
    });
    assert_eq!(held(even), "b=20 d=40");
}

#[test]
fn branches_are_handed_out_one_by_one() {
    let trie = list(&[
        ("a", 0),
        ("ab", 1),
        ("b", 1),
        ("c", 0),
        ("cd", 2),
        ("ce", 3),
    ]);
    let tails = Tails::new(Verified::new(trie.cursor(Forward)), Reverse, |n| *n == 0);
    let found: Vec<_> = tails
        .map(|(key, tail)| (String::from_utf8(key).expect("it is text"), keys(tail)))
        .collect();
    let expected = [("a", ". b"), ("c", ". e d")];
    assert_eq!(
        found,
        expected.map(|(key, tail)| (key.to_owned(), tail.to_owned()))
    );
}

#[test]
fn keys_that_do_not_ascend_are_no_list() {
    for keys in [["b", "a"], ["a", "a"]] {
        let entries = keys.map(|key| Entry::new(key, ())).to_vec();
        assert_eq!(List::new(entries), Err(ListError::OutOfOrder { index: 1 }));
    }
}
