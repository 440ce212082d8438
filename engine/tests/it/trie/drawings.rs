//! Invariants of drawings: one worked case a family, so that a change of what walks meet is seen.

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::deletion_aware::LiveAndDeletions;
use cenotaph_engine::trie::deletion_aware::merge::Branches;
use cenotaph_engine::trie::list::List;
use cenotaph_engine::trie::merge::Merge;
use cenotaph_engine::trie::range::{RangeMerge, RangeWithin};
use cenotaph_engine::trie::set::{Set, Within};
use cenotaph_engine::trie::walk::{draw, draw_deletion_aware};
use cenotaph_snapshots::golden;

use super::deletion_aware::forms::{many, source_at};
use super::support::{BOTH, list, place, ranges};

/// A drawing of a walk both ways.
fn both(drawing: impl Fn(Direction) -> String) -> String {
    let drawings = BOTH.map(|direction| format!("{direction:?}\n{}", drawing(direction)));
    drawings.join("\n")
}

#[test]
fn data_is_drawn() {
    let first: List<u32> = list(&[("tr", 1), ("tree", 2), ("trie", 3)]);
    let second = list(&[("trie", 5), ("trim", 4)]);
    let text = both(|d| draw(Merge::new(first.cursor(d), second.cursor(d), u32::max)));
    golden!(
        "engine/trie",
        "data",
        "Two tries as one: each node once, the larger of what both hold; descending, a node still precedes its children.",
        text
    );
}

#[test]
fn a_set_is_drawn_with_the_data_in_it() {
    let data: List<u32> = list(&[
        ("a", 1),
        ("ab", 2),
        ("abc", 3),
        ("abcx", 4),
        ("acq", 5),
        ("ade", 6),
    ]);
    let set = Set::span(place("abc"), place("ade"));
    let text = both(|d| {
        let cut = Within::new(data.cursor(d), set.cursor(d));
        format!("the set\n{}the data\n{}", draw(set.cursor(d)), draw(cut))
    });
    golden!(
        "engine/trie",
        "set",
        "From abc to before ade: descending, what comes before a branch is on the return path; prefixes show what they hold, the end does not.",
        text
    );
}

#[test]
fn ranges_are_drawn() {
    let (older, newer) = (ranges("abc..adc↑@555 abd·900"), ranges("aaa..acc↑@666"));
    let set = Set::span(place("aab"), place("ad"));
    let text = both(|d| {
        let merge = || RangeMerge::new(older.cursor(d), newer.cursor(d));
        let cut = RangeWithin::new(merge(), set.cursor(d));
        format!("merged\n{}cut\n{}", draw(merge()), draw(cut))
    });
    golden!(
        "engine/trie",
        "ranges",
        "Two ranges of branches and a point, merged, then cut from aab to before ad: where nothing changes any more, nothing is held.",
        text
    );
}

#[test]
fn live_data_and_deletions_are_drawn() {
    let first = source_at("p3@50 p5@20 p8@44 q@1", &[("p", "4..6↑@40 8·45")]);
    let second = source_at("p5@41 p9@50", &[("p", "2..5@30 5..7@42")]);
    let sources = [&first, &second];
    let text = both(|d| {
        let merged = || many(&sources, Branches::Fixed, d);
        let view = draw(LiveAndDeletions::new(merged()));
        format!(
            "first\n{}second\n{}merged\n{}as one\n{view}",
            draw_deletion_aware(first.cursor(d)),
            draw_deletion_aware(second.cursor(d)),
            draw_deletion_aware(merged()),
        )
    });
    golden!(
        "engine/trie",
        "deletion_aware",
        "Two sources and what they are together: deletions of each apply to the data of the other, and hang on one node.",
        text
    );
}
