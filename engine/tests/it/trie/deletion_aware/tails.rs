//! Invariants tests of the branch below one key: data, what covers it, and what is deleted within.

use cenotaph_engine::trie::deletion_aware::merge::Branches;
use cenotaph_engine::trie::deletion_aware::{
    DeletionAware, LiveAndDeletions, applicable_deletion, tail_at,
};
use cenotaph_engine::trie::verify::VerifiedDeletionAware;
use cenotaph_engine::trie::{Cursor, Direction};

use super::forms::{many, shown, source, source_at, two};
use crate::trie::support::{BOTH, both, descend, entries, held};

#[test]
fn a_tail_of_a_merge_offers_its_branch_once() {
    let first = source_at("pa@9 pd@3 pde@9", &[("p", "c..h@5")]);
    let second = source_at("pd@4 pf@5 pfx@7", &[("p", "f..k@6")]);
    let sources = [&first, &second];
    for direction in BOTH {
        let walk = VerifiedDeletionAware::new(many(&sources, Branches::Fixed, direction));
        check_tails(walk);
        let walk = VerifiedDeletionAware::new(two(&first, &second, Branches::Fixed, direction));
        check_tails(walk);
    }
}

fn check_tails<C>(mut walk: C)
where
    C: DeletionAware<
            Content = u32,
            Deletions: cenotaph_engine::trie::range::RangeCursor<Covering = u32>,
        >,
{
    descend(&mut walk, "p");
    assert_eq!(
        shown(|to| walk.tail(to)),
        "a@9 de@9 fx@7 | c:-→5 f:5→6 k:6→-"
    );
    let mut deeper = walk.tail(Direction::Forward);
    descend(&mut deeper, "d");
    let tail = deeper.tail(Direction::Reverse);
    assert!(tail.deletion_branch(Direction::Reverse).is_none());
    assert_eq!(
        shown(|to| deeper.tail(to)),
        "e@9 | ",
        "what is deleted above applies below"
    );
    let mut other = walk.tail(Direction::Reverse);
    descend(&mut other, "f");
    assert_eq!(shown(|to| other.tail(to)), "x@7 | ");
    assert_eq!(
        shown(|to| other.tail(Direction::Forward).tail(to)),
        "x@7 | "
    );
}

/// The tail of a trie with a range, and a newer one within it.
fn tail(key: &str, includes_covering: bool) -> String {
    let trie = source("da@1 daa@10 dbb@7 e@6", "d..d↑@5 da..db@9");
    let from = |source: Direction| {
        shown(|to| {
            let walk = VerifiedDeletionAware::new(trie.cursor(source));
            let tail = tail_at(walk, key.as_bytes(), to, includes_covering);
            tail.expect("there is something")
        })
    };
    assert_eq!(from(Direction::Forward), from(Direction::Reverse));
    from(Direction::Forward)
}

#[test]
fn a_tail_includes_what_covers_it_or_not() {
    assert_eq!(
        tail("d", true),
        "aa@10 bb@7 | root:-→5 a:5→9 b:9→5 root↑:5→-"
    );
    assert_eq!(tail("d", false), "aa@10 bb@7 | a:-→9 b:9→-");
}

#[test]
fn a_tail_below_a_marker_is_covered_whole() {
    assert_eq!(tail("daa", true), "@10 | root:-→9 root↑:9→-");
    assert_eq!(tail("daa", false), "@10 | ");
    assert_eq!(tail("dbb", true), "@7 | root:-→5 root↑:5→-");
}

#[test]
fn a_tail_may_be_a_deletion_and_nothing_else() {
    let trie = source_at("pa@9", &[("p", "d·7 x..z@3")]);
    for direction in BOTH {
        for to in BOTH {
            let walk = VerifiedDeletionAware::new(trie.cursor(direction));
            let tail = tail_at(walk, b"pd", to, true).expect("a deletion");
            let tail = VerifiedDeletionAware::new(tail);
            assert_eq!(tail.content(), None);
            assert_eq!(entries(tail.tail(to)), []);
            let branch = || tail.deletion_branch(Direction::Forward).expect("a point");
            assert_eq!(crate::trie::support::markers(branch()), "root:-→-·7");
            let nothing = tail_at(trie.cursor(direction), b"pe", to, true);
            assert!(nothing.is_none());
            let covered = tail_at(trie.cursor(direction), b"py", to, true).expect("it is covered");
            assert_eq!(shown(|to| covered.tail(to)), " | root:-→3 root↑:3→-");
        }
    }
}

#[test]
fn a_tail_above_a_branch_has_it_where_it_hangs() {
    let trie = source_at("pqa@9", &[("pq", "d..f@7")]);
    let tail = |to| tail_at(trie.cursor(Direction::Forward), b"p", to, false).expect("data");
    assert_eq!(shown(tail), "qa@9 | qd:-→7 qf:7→-");
}

#[test]
fn what_applies_to_a_key_is_found_with_or_without_data() {
    let trie = source_at("pa@9 pd@8", &[("p", "c..h@5 d·7 x·4")]);
    for direction in BOTH {
        let at = |key: &str| {
            applicable_deletion(
                VerifiedDeletionAware::new(trie.cursor(direction)),
                key.as_bytes(),
            )
        };
        assert_eq!(at("pd"), Some(7));
        assert_eq!(at("pc"), Some(5));
        assert_eq!(at("pcc"), Some(5));
        assert_eq!(at("pe"), Some(5));
        assert_eq!(at("ph"), None);
        assert_eq!(at("px"), Some(4));
        assert_eq!(at("pxx"), None);
        assert_eq!(at("pb"), None);
        assert_eq!(at("q"), None);
    }
}

#[test]
fn a_tail_of_the_view_of_both_is_covered() {
    let trie = source("da@1 daa@10 dbb@7 e@6", "d..d↑@5 da..db@9");
    for direction in BOTH {
        let mut view = LiveAndDeletions::new(trie.cursor(direction));
        descend(&mut view, "daa");
        let text = held(view.tail(Direction::Forward));
        assert_eq!(
            text,
            "=Mixed { live: Some(10), marker: Some(-→9) } =Mixed { live: None, marker: Some(9→-) }"
        );
    }
}

#[test]
fn a_trie_hangs_its_deletions_on_one_node_of_a_path() {
    use crate::trie::support::ranges;
    use cenotaph_engine::trie::deletion_aware::{DeletionAwareList, Node, NodesError};
    use cenotaph_engine::trie::list::Entry;
    let node = |key: &str| {
        let deletions = Some(ranges("a..b@1"));
        Entry::new(
            key,
            Node {
                live: None::<u32>,
                deletions,
            },
        )
    };
    let nested = DeletionAwareList::new(vec![node("p"), node("pq")], super::forms::delete);
    assert_eq!(nested, Err(NodesError::Nested { index: 1, host: 0 }));
    let beside = DeletionAwareList::new(vec![node("p"), node("q")], super::forms::delete);
    let beside = beside.expect("on two paths");
    assert_eq!(
        both(|d| cenotaph_engine::trie::deletion_aware::DeletionsOnly::new(beside.cursor(d))),
        "pa:-→1 pb:1→- qa:-→1 qb:1→-"
    );
}
