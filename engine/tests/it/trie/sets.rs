//! Invariants tests of sets, and of data cut to them.

use cenotaph_engine::trie::list::List;
use cenotaph_engine::trie::range::{RangeCursor, RangeMerge, RangeWithin};
use cenotaph_engine::trie::set::{BoundsError, Complement, Set, SetCursor, Within};
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
use cenotaph_engine::trie::{Cursor, Direction, Position};

use super::support::{BOTH, descend, keys, place, stop, stops, words};
use Direction::{Forward, Reverse};

fn data() -> List<u32> {
    words("a ab abb abc abcx acq ad adc ade adez adf b")
}

/// Places in words; `_` is one left out.
fn set(bounds: &str) -> Set {
    let bounds = bounds.split_whitespace();
    let bounds: Vec<_> = bounds
        .map(|text| (text != "_").then(|| place(text)))
        .collect();
    Set::of(&bounds).expect("the test's bounds are in order")
}

/// The keys of the data within a set, ascending; a descending walk meets the same.
fn within(bounds: &str) -> String {
    let (data, set) = (data(), set(bounds));
    let cut = |direction| {
        let bounds = VerifiedRange::new(set.cursor(direction));
        keys(Within::new(Verified::new(data.cursor(direction)), bounds))
    };
    let mut descending: Vec<String> = cut(Reverse).split(' ').map(str::to_owned).collect();
    descending.sort_unstable();
    assert_eq!(descending.join(" "), cut(Forward));
    cut(Forward)
}

/// The keys of the data that are in a set, in the order of keys; a descending walk meets the same backwards.
fn slice(bounds: &str) -> String {
    let (data, set) = (data(), set(bounds));
    let cut = |direction| {
        let data = Verified::new(data.ordered_cursor(direction));
        keys(Within::slice(
            data,
            VerifiedRange::new(set.cursor(direction)),
        ))
    };
    let mut descending: Vec<String> = cut(Reverse).split(' ').map(str::to_owned).collect();
    descending.reverse();
    assert_eq!(descending.join(" "), cut(Forward));
    let plain = Within::slice(data.cursor(Reverse), set.cursor(Reverse));
    let mut plain: Vec<String> = keys(plain).split(' ').map(str::to_owned).collect();
    plain.sort_unstable();
    assert_eq!(
        plain.join(" "),
        cut(Forward),
        "what is met early is in the set or not"
    );
    cut(Forward)
}

/// The markers of a set in one line.
fn bounds<S: RangeCursor<Covering = ()>>(set: S) -> String {
    let mut set = VerifiedRange::new(set);
    let mut path = String::new();
    let mut found = Vec::new();
    while !set.position().is_exhausted() {
        if let Some(marker) = set.content() {
            let sign = if marker.right.is_some() { "[" } else { ")" };
            let returns = if set.position().is_return() {
                "↑"
            } else {
                ""
            };
            let place = if path.is_empty() { "." } else { &path };
            found.push(format!("{sign}{place}{returns}"));
        }
        let position = set.advance();
        let depth = usize::try_from(position.depth()).unwrap_or(0);
        path.truncate(depth.saturating_sub(1));
        path.extend(position.byte().map(char::from));
    }
    found.join(" ")
}

/// The bounds of a set that walks either way, in ascending order.
fn bounds_of(set: &Set) -> String {
    bounds(set.cursor(Forward))
}

#[test]
fn a_range_of_branches_takes_both_ends_whole() {
    assert_eq!(within("abc ade↑"), "a ab abc abcx acq ad adc ade adez");
}

#[test]
fn an_exclusive_end_is_not_reported_and_prefixes_are() {
    assert_eq!(within("abc ade"), "a ab abc abcx acq ad adc");
}

#[test]
fn an_exclusive_start_leaves_out_its_branch() {
    assert_eq!(within("abc↑ ade↑"), "a ab acq ad adc ade adez");
}

#[test]
fn a_slice_has_no_prefixes() {
    assert_eq!(slice("abc ade"), "abc abcx acq ad adc");
}

#[test]
fn ends_of_a_slice_move_by_a_byte_of_zero() {
    assert_eq!(slice("abc\0 ade\0"), "abcx acq ad adc ade");
}

#[test]
fn a_set_may_have_a_gap() {
    assert_eq!(
        within("_ ab↑ ad _"),
        "a ab abb abc abcx ad adc ade adez adf b"
    );
}

#[test]
fn a_branch_is_a_set() {
    assert_eq!(within("ab ab↑"), "a ab abb abc abcx");
    assert_eq!(slice("ab ab↑"), "ab abb abc abcx");
}

#[test]
fn a_branch_may_lack_a_part_of_itself() {
    assert_eq!(within("a ab ad a↑"), "a ad adc ade adez adf");
    assert_eq!(slice("a ab ax a↑"), "a");
}

#[test]
fn an_end_that_begins_a_later_start_is_on_the_way_to_it() {
    assert_eq!(within("_ ab abc ad"), "a ab abc abcx acq");
    assert_eq!(slice("_ ab abc ad"), "a abc abcx acq");
}

#[test]
fn a_skip_of_a_set_knows_what_precedes_it() {
    let set = set("abc ade");
    let skip = |direction, byte| {
        let mut cursor = VerifiedRange::new(set.cursor(direction));
        descend(&mut cursor, "a");
        let landed = cursor.skip_to(Position::node(2, byte, direction));
        (stop(landed), cursor.precedes())
    };
    assert_eq!(skip(Forward, b'c'), ("(2,d)".to_owned(), true));
    assert_eq!(skip(Forward, b'a'), ("(2,b)".to_owned(), false));
    assert_eq!(skip(Forward, b'e'), ("end".to_owned(), false));
    assert_eq!(skip(Reverse, b'c'), ("(2,b)".to_owned(), true));
}

#[test]
fn sets_intersect_unite_and_turn_inside_out() {
    let (bf, dj, bd, df) = (set("b f"), set("d j"), set("b d"), set("d f"));
    for direction in BOTH {
        let both = RangeWithin::new(bf.cursor(direction), dj.cursor(direction));
        assert_eq!(bounds(both.tail(Forward)), "[d )f");
        let either = RangeMerge::new(bd.cursor(direction), df.cursor(direction));
        assert_eq!(bounds(either.tail(Forward)), "[b )f");
        let not = Complement::new(bd.cursor(direction));
        assert_eq!(bounds(not.tail(Forward)), "[. )b [d ).↑");
        bounds(RangeWithin::new(bf.cursor(direction), dj.cursor(direction)));
        bounds(RangeMerge::new(bd.cursor(direction), df.cursor(direction)));
        bounds(Complement::new(bd.cursor(direction)));
    }
}

#[test]
fn a_complement_of_a_complement_is_the_set() {
    for text in ["b f", "_ f", "b _", "b b↑ c d", "_ _", "a ab ax a↑"] {
        let set = set(text);
        let twice = Complement::new(Complement::new(set.cursor(Forward)));
        assert_eq!(bounds(twice), bounds_of(&set));
        let reversed = Complement::new(Complement::new(set.cursor(Reverse)));
        assert_eq!(bounds(reversed), bounds(set.cursor(Reverse)));
    }
    let none = Set::empty();
    assert_eq!(
        bounds(Complement::new(none.cursor(Forward))),
        bounds_of(&Set::full())
    );
    assert_eq!(bounds(Complement::new(Set::full().cursor(Reverse))), "");
}

#[test]
fn equal_bounds_cancel() {
    assert_eq!(bounds_of(&set("a a a b")), "[a )b");
    assert_eq!(bounds_of(&set("a b b c")), "[a )c");
}

#[test]
fn bounds_left_out_are_the_ends_of_all() {
    let all = keys(data().cursor(Forward));
    for text in ["_ _", "", "_"] {
        assert_eq!(within(text), all);
        assert_eq!(bounds_of(&set(text)), "[. ).↑");
    }
    assert_eq!(stops(Set::full().cursor(Forward)), "(0)* (0)↑*");
    assert_eq!(stops(Set::empty().cursor(Forward)), "(0)");
}

#[test]
fn a_tail_of_a_set_is_what_it_has_below() {
    let set = set("abc ade");
    let data = data();
    for direction in BOTH {
        let tail = |key: &str| {
            let mut cursor = VerifiedRange::new(set.cursor(direction));
            descend(&mut cursor, key);
            bounds(cursor.tail(Forward))
        };
        assert_eq!(tail("ab"), "[c ).↑");
        assert_eq!(tail("ad"), "[. )e");
        let mut cut = Within::new(data.cursor(direction), set.cursor(direction));
        descend(&mut cut, "ac");
        assert_eq!(
            keys(cut.tail(Forward)),
            "q",
            "between two bounds all is in the set"
        );
        let mut cut = Within::new(data.cursor(direction), set.cursor(direction));
        descend(&mut cut, "ad");
        assert_eq!(keys(cut.tail(Forward)), ". c");
        assert_eq!(keys(cut.tail(Reverse)), ". c");
    }
}

#[test]
fn bounds_in_disorder_are_refused() {
    let bound = |text| Some(place(text));
    assert_eq!(
        Set::of(&[bound("b"), bound("a")]),
        Err(BoundsError::OutOfOrder { index: 1 })
    );
    assert_eq!(
        Set::of(&[bound("b"), None, bound("c"), bound("d")]),
        Err(BoundsError::Missing { index: 1 })
    );
    assert_eq!(
        Set::of(&[bound("ab"), bound("cd↑"), bound("cd"), bound("ef")]),
        Err(BoundsError::OutOfOrder { index: 2 })
    );
}
