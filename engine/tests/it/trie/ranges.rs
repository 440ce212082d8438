//! Invariants tests of ranges: merged, cut, applied to data, and the branches below a node.

use cenotaph_engine::trie::list::ListError;
use cenotaph_engine::trie::range::{
    Applied, Marker, RangeCursor, RangeEntry, RangeList, RangeMerge, RangeMergeMany, RangeWithin,
};
use cenotaph_engine::trie::set::Set;
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
use cenotaph_engine::trie::view::Prefixed;
use cenotaph_engine::trie::{Cursor, Direction, Position};

use super::support::{BOTH, both, descend, held, list, markers, orders, place, ranges, stop};
use Direction::{Forward, Reverse};

/// The markers of sources merged in every order, by twos and all at once, and written down as one.
fn merged(sources: &[&str]) -> String {
    let whole = {
        let list = ranges(&sources.join(" "));
        both(|direction| list.cursor(direction))
    };
    let lists: Vec<_> = sources.iter().map(|text| ranges(text)).collect();
    for order in orders(&lists) {
        let many = |direction| {
            RangeMergeMany::new(
                order
                    .iter()
                    .map(|list| VerifiedRange::new(list.cursor(direction))),
            )
        };
        assert_eq!(both(many), whole);
        let two =
            |direction| RangeMerge::new(order[0].cursor(direction), order[1].cursor(direction));
        match order.get(2) {
            None => assert_eq!(both(two), whole),
            Some(third) => {
                let three = |d| RangeMerge::new(VerifiedRange::new(two(d)), third.cursor(d));
                assert_eq!(both(three), whole);
                let nested = |d| RangeMerge::new(third.cursor(d), VerifiedRange::new(two(d)));
                assert_eq!(both(nested), whole);
            }
        }
    }
    whole
}

#[test]
fn ranges_apart_stay_apart() {
    assert_eq!(
        merged(&["c..h@10", "k..m@20"]),
        "c:-→10 h:10→- k:-→20 m:20→-"
    );
}

#[test]
fn equal_ranges_that_touch_are_one() {
    assert_eq!(merged(&["c..h@10", "h..m@10"]), "c:-→10 m:10→-");
}

#[test]
fn different_ranges_that_touch_switch() {
    assert_eq!(merged(&["c..h@10", "h..m@12"]), "c:-→10 h:10→12 m:12→-");
}

#[test]
fn a_newer_range_cuts_an_older_one_short() {
    assert_eq!(merged(&["c..h@10", "f..m@12"]), "c:-→10 f:10→12 m:12→-");
}

#[test]
fn an_older_range_goes_on_where_a_newer_one_ends() {
    assert_eq!(merged(&["c..h@12", "f..m@10"]), "c:-→12 h:12→10 m:10→-");
}

#[test]
fn a_newer_range_splits_an_older_one() {
    assert_eq!(
        merged(&["c..m@10", "f..h@15"]),
        "c:-→10 f:10→15 h:15→10 m:10→-"
    );
}

#[test]
fn an_older_range_within_a_newer_one_is_hidden() {
    assert_eq!(merged(&["c..m@15", "f..h@10"]), "c:-→15 m:15→-");
}

#[test]
fn of_two_equal_ranges_the_newer_is_in_force() {
    assert_eq!(merged(&["c..h@10", "c..h@14"]), "c:-→14 h:14→-");
}

#[test]
fn two_ranges_may_end_together() {
    assert_eq!(merged(&["c..h@10", "f..h@14"]), "c:-→10 f:10→14 h:14→-");
}

#[test]
fn three_ranges_overlap() {
    assert_eq!(
        merged(&["b..f@5", "d..j@7", "a..z@6"]),
        "a:-→6 d:6→7 j:7→6 z:6→-"
    );
}

#[test]
fn a_newer_range_swallows_many() {
    assert_eq!(merged(&["c..d@1 e..f@2 g..h@3", "b..i@9"]), "b:-→9 i:9→-");
}

#[test]
fn a_range_that_fills_a_gap_joins_its_neighbours() {
    assert_eq!(merged(&["c..e@5 g..i@5", "e..g@5"]), "c:-→5 i:5→-");
}

#[test]
fn the_same_range_twice_changes_nothing() {
    let once = merged(&["c..h@10", "f..m@12"]);
    assert_eq!(merged(&["c..h@10 f..m@12", "c..h@10"]), once);
    assert_eq!(merged(&["c..h@10 f..m@12", "f..m@12"]), once);
    assert_eq!(merged(&["c..h@10 f..m@12", "c..h@9"]), once);
}

#[test]
fn branches_are_covered_to_their_ends() {
    assert_eq!(
        merged(&["abc..adc↑@555", "aaa..acc↑@666"]),
        "aaa:-→666 acc↑:666→555 adc↑:555→-"
    );
}

#[test]
fn a_range_over_everything_has_newer_ones_within() {
    assert_eq!(
        merged(&["_..↑@5", "c..d@9"]),
        "root:-→5 c:5→9 d:9→5 root↑:5→-"
    );
}

/// Ranges cut to a set, forward and descending.
fn cut(source: &str, start: &str, end: &str) -> String {
    let (source, set) = (ranges(source), Set::span(place(start), place(end)));
    both(|direction| {
        let set = VerifiedRange::new(set.cursor(direction));
        RangeWithin::new(VerifiedRange::new(source.cursor(direction)), set)
    })
}

#[test]
fn a_slice_cuts_ranges_at_its_ends() {
    assert_eq!(cut("c..h@10", "e", "g"), "e:-→10 g:10→-");
    assert_eq!(cut("c..h@10", "a", "d"), "c:-→10 d:10→-");
    assert_eq!(cut("c..h@10", "h", "z"), "");
}

#[test]
fn a_slice_cuts_a_boundary_at_its_end() {
    let source = "c..f@10 f..k@12";
    assert_eq!(cut(source, "e", "h"), "e:-→10 f:10→12 h:12→-");
    assert_eq!(cut(source, "f", "h"), "f:-→12 h:12→-");
    assert_eq!(cut(source, "d", "f"), "d:-→10 f:10→-");
}

#[test]
fn a_slice_takes_points_with_what_covers_them() {
    assert_eq!(
        cut("c..h@5 e·7 k·8", "d", "z"),
        "d:-→5 e:5→5·7 h:5→- k:-→-·8"
    );
    assert_eq!(cut("c..h@5 e·7", "e", "e↑"), "e:-→5·7 e↑:5→-");
    assert_eq!(cut("c..h@5 e·7", "a", "e"), "c:-→5 e:5→-");
}

#[test]
fn a_skip_finds_what_is_in_force_where_it_lands() {
    let source = ranges("abc..adc↑@555");
    let skip = |direction, byte| {
        let mut cursor = VerifiedRange::new(source.cursor(direction));
        descend(&mut cursor, "a");
        let landed = cursor.skip_to(Position::node(2, byte, direction));
        (stop(landed), cursor.preceding())
    };
    assert_eq!(skip(Forward, b'c'), ("(2,d)".to_owned(), Some(555)));
    assert_eq!(skip(Reverse, b'c'), ("(2,b)".to_owned(), Some(555)));
    assert_eq!(skip(Forward, b'a'), ("(2,b)".to_owned(), None));
    assert_eq!(skip(Reverse, b'e'), ("(2,d)".to_owned(), None));
}

#[test]
fn a_tail_opens_and_closes_what_covers_it() {
    let source = ranges("abc..adc↑@555");
    for direction in BOTH {
        let mut cursor = VerifiedRange::new(source.cursor(direction));
        descend(&mut cursor, "ad");
        assert_eq!(both(|to| cursor.tail(to)), "root:-→555 c↑:555→-");
        let mut cursor = VerifiedRange::new(source.cursor(direction));
        descend(&mut cursor, "ab");
        assert_eq!(both(|to| cursor.tail(to)), "c:-→555 root↑:555→-");
    }
}

#[test]
fn a_tail_where_a_source_has_no_node_is_covered_whole() {
    let (source, other) = (ranges("abc..adc↑@555"), ranges("ac..acx@4 acz..ad@600"));
    for direction in BOTH {
        let merge = RangeMerge::new(source.cursor(direction), other.cursor(direction));
        let mut merge = VerifiedRange::new(merge);
        descend(&mut merge, "ac");
        assert_eq!(
            both(|to| merge.tail(to)),
            "root:-→555 z:555→600 root↑:600→-"
        );
        let sources = [&source, &other].map(|list| list.cursor(direction));
        let mut many = VerifiedRange::new(RangeMergeMany::new(sources));
        descend(&mut many, "ac");
        assert_eq!(both(|to| many.tail(to)), "root:-→555 z:555→600 root↑:600→-");
    }
}

#[test]
fn a_tail_keeps_the_point_at_its_root() {
    let source = ranges("a..c@5 b·7");
    for direction in BOTH {
        let mut cursor = VerifiedRange::new(source.cursor(direction));
        descend(&mut cursor, "b");
        assert_eq!(both(|to| cursor.tail(to)), "root:-→5·7 root↑:5→-");
    }
}

#[test]
fn ranges_below_a_prefix_are_in_force_nowhere_else() {
    let source = ranges("_..↑@5");
    assert_eq!(
        both(|to| Prefixed::new(b"pq", source.cursor(to))),
        "pq:-→5 pq↑:5→-"
    );
    let source = ranges("a..c@5 b·7");
    assert_eq!(
        both(|to| Prefixed::new(b"p", source.cursor(to))),
        "pa:-→5 pb:5→5·7 pc:5→-"
    );
}

#[test]
fn a_point_gives_way_to_what_covers_it() {
    assert_eq!(merged(&["r·7", "a..z@9"]), "a:-→9 z:9→-");
    assert_eq!(merged(&["r·7", "a..z@5"]), "a:-→5 r:5→5·7 z:5→-");
    assert_eq!(merged(&["r·7", "r·9"]), "r:-→-·9");
    assert_eq!(merged(&["r·7", "r·7"]), "r:-→-·7");
    assert_eq!(merged(&["r·7", "a..r@9", "r..z@6"]), "a:-→9 r:9→6·7 z:6→-");
    assert_eq!(
        merged(&["r·7", "a..r↑@6", "b..z@5"]),
        "a:-→6 r:6→6·7 r↑:6→5 z:5→-"
    );
}

#[test]
fn a_point_of_the_same_time_and_a_later_second_is_kept() {
    let list = |ranges: Vec<cenotaph_engine::trie::range::Range<(i64, u32)>>, point| {
        RangeList::of(ranges, [(b"r".to_vec(), point)])
    };
    let covering = cenotaph_engine::trie::range::Range {
        start: place("a"),
        end: place("z"),
        state: (7, 50),
    };
    let kept = list(vec![covering.clone()], (7, 100));
    assert_eq!(kept.entries().len(), 3);
    let dropped = list(vec![covering], (7, 50));
    assert_eq!(dropped.entries().len(), 2);
}

#[test]
fn ranges_take_from_data_what_they_cover() {
    let data = list(&[
        ("a", 9),
        ("c", 1),
        ("d", 6),
        ("dx", 2),
        ("g", 1),
        ("h", 1),
        ("r", 7),
        ("s", 8),
    ]);
    let source = ranges("c..h@5 r·7 s·7");
    for direction in BOTH {
        let applied = |direction| {
            Applied::new(
                Verified::new(data.cursor(direction)),
                VerifiedRange::new(source.cursor(direction)),
                |state, live| (live > state).then_some(live),
            )
        };
        let shown = match direction {
            Forward => "a=9 d=6 h=1 s=8",
            Reverse => "s=8 h=1 d=6 a=9",
        };
        assert_eq!(held(applied(direction)), shown);
        let mut inside = Verified::new(applied(direction));
        descend(&mut inside, "d");
        assert_eq!(held(inside.tail(Forward)), "=6");
        let mut inside = Verified::new(applied(direction));
        descend(&mut inside, "r");
        assert_eq!(held(inside.tail(Forward)), "");
    }
}

#[test]
fn a_prefix_met_early_is_not_taken_by_what_ends_below_it() {
    let data = list(&[("a", 4), ("ab", 4), ("ac", 4)]);
    for (source, shown) in [
        ("a..ab@5", "ab=4 ac=4"),
        ("ab..a↑@5", "a=4"),
        ("aa..ab↑@5", "a=4 ac=4"),
    ] {
        let source = ranges(source);
        for direction in BOTH {
            let applied = Applied::new(
                data.cursor(direction),
                source.cursor(direction),
                |s, live| (live > s).then_some(live),
            );
            let mut found: Vec<String> = held(applied).split(' ').map(str::to_owned).collect();
            found.sort_unstable();
            assert_eq!(found.join(" "), shown);
        }
    }
}

#[test]
fn markers_that_do_not_follow_are_refused() {
    let entry = |key: &str, left, right| RangeEntry {
        key: key.as_bytes().to_vec(),
        is_after: false,
        marker: Marker::boundary(left, right),
    };
    let open = vec![entry("a", None, Some(5))];
    assert_eq!(RangeList::new(open), Err(ListError::Torn { index: 1 }));
    let gap = vec![entry("a", None, Some(5)), entry("b", Some(6), None)];
    assert_eq!(RangeList::new(gap), Err(ListError::Torn { index: 1 }));
    let idle = vec![entry("a", Some(5), Some(5))];
    assert_eq!(RangeList::new(idle), Err(ListError::Torn { index: 0 }));
    let order = vec![entry("b", None, Some(5)), entry("a", Some(5), None)];
    assert_eq!(
        RangeList::new(order),
        Err(ListError::OutOfOrder { index: 1 })
    );
    let mut pointed = entry("a", None, Some(5));
    pointed.marker.point = Some(5);
    let pointed = vec![pointed, entry("b", Some(5), None)];
    assert_eq!(RangeList::new(pointed), Err(ListError::Torn { index: 0 }));
}

#[test]
fn restricting_a_boundary_drops_the_sides_outside() {
    let here = Position::node(1, b'x', Forward);
    let both = Marker::boundary(Some(1), Some(2));
    let left_only = Marker::boundary(Some(1), None::<u32>);
    let set = |left: bool, right: bool| Marker::boundary(left.then_some(()), right.then_some(()));
    let within =
        |marker: Marker<u32>, left, right| marker.within(set(left, right), here).if_change();
    assert_eq!(within(both, true, true), Some(both));
    assert_eq!(within(both, true, false), Some(left_only));
    assert_eq!(
        within(both, false, true),
        Some(Marker::boundary(None, Some(2)))
    );
    assert_eq!(within(both, false, false), None);
    assert_eq!(
        within(left_only, false, true),
        None,
        "one side dropped, the other empty"
    );
    assert_eq!(within(left_only, true, false), Some(left_only));
    assert_eq!(within(left_only, false, false), None);
    assert_eq!(markers(ranges("").cursor(Forward)), "");
}
