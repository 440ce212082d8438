//! Invariants tests of several sources as one: deletions of one apply to the data of the others.

use cenotaph_engine::trie::deletion_aware::merge::{Branches, Merged};
use cenotaph_engine::trie::deletion_aware::{DeletionAware, Rooted, SeparatelyPrefixed};
use cenotaph_engine::trie::range::RangeCursor;
use cenotaph_engine::trie::set::{Set, Within};
use cenotaph_engine::trie::verify::VerifiedDeletionAware;
use cenotaph_engine::trie::view::Prefixed;
use cenotaph_engine::trie::{Cursor, Direction};

use super::forms::{delete, many, merged, merged_at_root, shown, source, source_at, two};
use crate::trie::support::{BOTH, place};

#[test]
fn a_range_deletes_what_is_older() {
    let merged = merged_at_root(&[("d@3 f@9", ""), ("", "c..h@5")]);
    assert_eq!(merged, "f@9 | c:-→5 h:5→-");
}

#[test]
fn a_deletion_wins_a_tie() {
    assert_eq!(
        merged_at_root(&[("d@5", ""), ("", "c..h@5")]),
        " | c:-→5 h:5→-"
    );
}

#[test]
fn newer_data_replaces_what_is_deleted() {
    let merged = merged_at_root(&[("d@3", ""), ("d@8", "c..h@5")]);
    assert_eq!(merged, "d@8 | c:-→5 h:5→-");
}

#[test]
fn deletions_of_each_apply_to_the_data_of_the_other() {
    let merged = merged_at_root(&[("d@3 p@8", "m..r@6"), ("e@6 n@5 q@7", "c..h@5")]);
    assert_eq!(merged, "e@6 p@8 q@7 | c:-→5 h:5→- m:-→6 r:6→-");
}

#[test]
fn a_start_is_deleted_and_an_end_is_not() {
    let merged = merged_at_root(&[("c@1 g@1 h@1", ""), ("", "c..h@5")]);
    assert_eq!(merged, "h@1 | c:-→5 h:5→-");
}

#[test]
fn a_range_applies_to_every_source() {
    let merged = merged_at_root(&[("d@3", ""), ("", "c..h@5"), ("d@7 e@4", "")]);
    assert_eq!(merged, "d@7 | c:-→5 h:5→-");
}

#[test]
fn branches_below_are_hoisted_to_one_above() {
    let upper = source_at("aba@700", &[("a", "aa..cc@666")]);
    let lower = source_at("", &[("ab", "a..c@777")]);
    let merged = merged(&[&upper, &lower], Branches::Anywhere);
    assert_eq!(merged, " | aaa:-→666 aba:666→777 abc:777→666 acc:666→-");
    for direction in BOTH {
        let mut walk =
            VerifiedDeletionAware::new(two(&lower, &upper, Branches::Anywhere, direction));
        assert!(walk.deletion_branch(direction).is_none());
        assert!(walk.descend_along(b"a"));
        assert!(
            walk.deletion_branch(direction).is_some(),
            "at the upper node"
        );
        assert!(walk.descend_along(b"b"));
        assert!(walk.deletion_branch(direction).is_none(), "and only there");
    }
}

#[test]
fn data_beside_a_deletion_is_merged() {
    let merged = merged_at_root(&[("b2@9", "a..c@5"), ("b1@4 b3@6", "")]);
    assert_eq!(merged, "b2@9 b3@6 | a:-→5 c:5→-");
}

#[test]
fn ranges_of_two_sources_overlap() {
    let merged = merged_at_root(&[("d@9", "c..h@8"), ("", "b..f@5")]);
    assert_eq!(merged, "d@9 | b:-→5 c:5→8 h:8→-");
}

#[test]
fn a_slice_cuts_data_and_deletions() {
    let trie = source("d@9 k@1", "c..h@8");
    let set = Set::span(place("e"), place("l"));
    let cut = |direction| {
        let trie = VerifiedDeletionAware::new(trie.cursor(direction));
        Within::slice(trie, set.cursor(direction))
    };
    assert_eq!(shown(cut), "k@1 | e:-→8 h:8→-");
    let whole = |direction| Within::new(trie.cursor(direction), set.cursor(direction));
    assert_eq!(shown(whole), "k@1 | e:-→8 h:8→-");
}

#[test]
fn a_slice_of_a_merge_is_a_merge_of_slices() {
    let (first, second) = (
        source("d@9 k@1", "c..h@8"),
        source("e@3 f@9 g@8", "a..e@4 f..z@2"),
    );
    let set = Set::span(place("d"), place("g"));
    let of_merge =
        shown(|d| Within::new(many(&[&first, &second], Branches::Fixed, d), set.cursor(d)));
    let of_slices = shown(|d| {
        let cut = [&first, &second].map(|trie| Within::new(trie.cursor(d), set.cursor(d)));
        Merged::of_many(cut, Branches::Fixed, u32::max, delete)
    });
    assert_eq!(of_merge, "d@9 f@9 | d:-→8 g:8→-");
    assert_eq!(of_slices, of_merge);
}

#[test]
fn a_point_deletes_at_its_key_what_its_covering_does_not() {
    let older = merged_at_root(&[("r@7", ""), ("", "a..z@5 r·7")]);
    assert_eq!(older, " | a:-→5 r:5→5·7 z:5→-");
    let newer = merged_at_root(&[("r@8", ""), ("", "a..z@5 r·7")]);
    assert_eq!(newer, "r@8 | a:-→5 r:5→5·7 z:5→-");
    let hidden = merged_at_root(&[("r@8", "r·7"), ("", "a..z@9")]);
    assert_eq!(hidden, " | a:-→9 z:9→-");
}

#[test]
fn the_only_branch_may_be_in_any_source() {
    let merged = merged_at_root(&[("b@4 d@3", "c..h@5"), ("a@1 d@4 e@6", "")]);
    assert_eq!(merged, "a@1 b@4 e@6 | c:-→5 h:5→-");
    let fixed = [
        source_at("pb@4", &[("p", "a..z@3")]),
        source("pc@3 pd@4", ""),
    ];
    let fixed: Vec<_> = fixed.iter().collect();
    assert_eq!(
        super::forms::merged(&fixed, Branches::Fixed),
        "pb@4 pd@4 | pa:-→3 pz:3→-"
    );
}

#[test]
fn two_ways_of_a_prefix_show_the_same() {
    let trie = source("d@9 k@1", "c..h@8");
    let expected = "pd@9 pk@1 | pc:-→8 ph:8→-";
    let prefixed = |d| Prefixed::new(b"p", VerifiedDeletionAware::new(trie.cursor(d)));
    assert_eq!(shown(prefixed), expected);
    let apart = |d| SeparatelyPrefixed::new(b"p", VerifiedDeletionAware::new(trie.cursor(d)));
    assert_eq!(shown(apart), expected);
    for direction in BOTH {
        assert!(prefixed(direction).deletion_branch(direction).is_none());
        let mut below = prefixed(direction);
        assert!(below.descend_along(b"p"));
        assert!(below.deletion_branch(direction).is_some());
        let mut root = apart(direction);
        let branch = root
            .deletion_branch(Direction::Forward)
            .expect("on the root");
        assert_eq!(crate::trie::support::markers(branch), "pc:-→8 ph:8→-");
        assert!(root.descend_along(b"p"));
        assert!(root.deletion_branch(direction).is_none());
    }
}

#[test]
fn a_prefix_puts_a_branch_where_those_of_others_are() {
    let update = source("d@9", "c..h@8");
    let table = source("pd@3 pe@4 pk@2 qd@3", "pa..pd@2");
    let merged = |d| {
        Merged::of_two(
            SeparatelyPrefixed::new(b"p", update.cursor(d)),
            table.cursor(d),
            Branches::Fixed,
            u32::max,
            delete,
        )
    };
    assert_eq!(shown(merged), "pd@9 pk@2 qd@3 | pa:-→2 pc:2→8 ph:8→-");
}

#[test]
fn deletions_that_arrive_twice_change_nothing() {
    let once = merged_at_root(&[("f@9", "c..h@5"), ("", "")]);
    let twice = merged_at_root(&[("f@9", "c..h@5"), ("", "c..h@5")]);
    let older = merged_at_root(&[("f@9", "c..h@5"), ("", "c..h@5"), ("d@4", "")]);
    assert_eq!((&twice, &older), (&once, &once));
}

#[test]
fn what_arrives_with_its_own_deletion_may_all_be_superseded() {
    let merged = merged_at_root(&[("d@6", "c..h@5"), ("d@9", "a..z@7")]);
    assert_eq!(merged, "d@9 | a:-→7 z:7→-");
}

#[test]
fn what_is_written_down_shadows_nothing_of_its_own() {
    let trie = source("d@3 e@5 f@9", "c..h@5");
    assert_eq!(shown(|d| trie.cursor(d)), "f@9 | c:-→5 h:5→-");
}

#[test]
fn a_range_over_all_leaves_the_branch_alone() {
    let merged = merged_at_root(&[("a@1 b@2 c@3", ""), ("", "_..↑@3")]);
    assert_eq!(merged, " | root:-→3 root↑:3→-");
    let trie = source("", "_..↑@3");
    let walk = trie.cursor(Direction::Forward);
    let branch = walk
        .deletion_branch(Direction::Forward)
        .expect("on the root");
    assert_eq!(branch.state().right, Some(3));
}

#[test]
fn plain_data_takes_part_with_deletions_at_its_root_or_none() {
    let data = crate::trie::support::list(&[("d", 3), ("f", 9)]);
    let older = crate::trie::support::list(&[("e", 4), ("k", 1)]);
    let deletions = crate::trie::support::ranges("g..l@5 c·2");
    let deleting = source("", "c..f@5");
    let merged = |d| {
        let rooted = Rooted::new(data.cursor(d), deletions.cursor(d));
        let plain = Rooted::plain(older.cursor(d));
        let pair = Merged::of_two(rooted, plain, Branches::Fixed, u32::max, delete);
        let pair = VerifiedDeletionAware::new(pair);
        Merged::of_two(pair, deleting.cursor(d), Branches::Fixed, u32::max, delete)
    };
    assert_eq!(shown(merged), "f@9 | c:-→5 f:5→- g:-→5 l:5→-");
}
