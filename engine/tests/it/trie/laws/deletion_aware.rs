//! Invariants tests of deletion-aware tries against plain lists: live data, deletions, and both together.

use std::collections::BTreeMap;

use cenotaph_engine::trie::Cursor;
use cenotaph_engine::trie::deletion_aware::merge::{Branches, Merged};
use cenotaph_engine::trie::deletion_aware::{
    DeletionAware, DeletionAwareList, DeletionsOnly, LiveAndDeletions, LiveOnly, Node,
    applicable_deletion, tail_at,
};
use cenotaph_engine::trie::list::Entry;
use cenotaph_engine::trie::range::{Place, RangeCursor};
use cenotaph_engine::trie::set::Within;
use cenotaph_engine::trie::verify::{Verified, VerifiedDeletionAware};
use cenotaph_engine::trie::walk::Entries;
use proptest::prelude::*;

use super::model::Model;
use super::ranges::set_of;
use super::worlds::{World, any_direction, any_intervals, any_world, bounds, intervals};
use crate::laws::config;
use crate::trie::deletion_aware::forms::{Source, delete, many, two};
use crate::trie::support::{BOTH, places};

/// A source whose deletions hang on the nodes `depth` bytes down; those of keys that are shorter are left out, and
/// ranges are cut to the branches.
pub(super) fn source(model: &Model, depth: usize) -> (Source, Model) {
    let mut hosts: Vec<Vec<u8>> = (0..64)
        .flat_map(|n| super::worlds::ALL_SHAPES.map(|shape| shape.key(n)))
        .filter(|key| key.len() >= depth)
        .map(|key| key[..depth].to_vec())
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    let mut kept = Model {
        live: model.live.clone(),
        ..Model::default()
    };
    let mut nodes: BTreeMap<Vec<u8>, Node<u32, u32>> = BTreeMap::new();
    for (key, time) in &model.live {
        let node = Node {
            live: Some(*time),
            deletions: None,
        };
        nodes.insert(key.clone(), node);
    }
    for host in hosts {
        let cut = model.within(&[(Place::before(host.clone()), Place::after(host.clone()))]);
        let deletions = model.branch(&host).range_list();
        if !deletions.entries().is_empty() {
            let empty = Node {
                live: None,
                deletions: None,
            };
            nodes.entry(host).or_insert(empty).deletions = Some(deletions);
            kept.ranges.extend(cut.ranges);
            kept.points.extend(cut.points);
        }
    }
    let nodes = nodes
        .into_iter()
        .map(|(key, node)| Entry::new(key, node))
        .collect();
    let source = DeletionAwareList::new(nodes, delete).expect("hosts are at one depth");
    // What a source holds is free of what it deletes, whatever others hold.
    kept.live = kept.live().into_iter().collect();
    (source, kept)
}

/// The sources of a world with branches at some depths, and what is in them.
fn sources(world: &World, depths: [usize; 3]) -> (Vec<Source>, Model) {
    let built = world
        .sources
        .iter()
        .zip(depths)
        .map(|(model, depth)| source(model, depth));
    let (sources, models): (Vec<_>, Vec<_>) = built.unzip();
    (sources, Model::together(&models))
}

fn sorted<C: Cursor<Content = u32>>(cursor: C) -> Vec<(Vec<u8>, u32)> {
    let mut found: Vec<_> = Entries::new(Verified::new(cursor)).collect();
    found.sort_unstable();
    found
}

/// Holds a walk against what it must show, by all three views.
fn check<C>(walk: impl Fn() -> C, expected: &Model) -> Result<(), TestCaseError>
where
    C: DeletionAware<Content = u32, Deletions: RangeCursor<Covering = u32>>,
{
    let live = sorted(VerifiedDeletionAware::new(walk()));
    prop_assert_eq!(&live, &expected.live());
    prop_assert_eq!(&sorted(LiveOnly::new(walk())), &live);
    let deletions = DeletionsOnly::new(VerifiedDeletionAware::new(walk()));
    prop_assert_eq!(places(deletions), expected.markers());
    let view = LiveAndDeletions::new(VerifiedDeletionAware::new(walk()));
    let mixed: Vec<_> = Entries::new(Verified::new(view)).collect();
    let mut in_mixed: Vec<_> = mixed
        .iter()
        .filter_map(|(key, mixed)| Some((key.clone(), mixed.live?)))
        .collect();
    in_mixed.sort_unstable();
    prop_assert_eq!(in_mixed, live);
    Ok(())
}

fn any_depths() -> impl Strategy<Value = ([usize; 3], Branches)> {
    prop_oneof![
        (0_usize..3).prop_map(|depth| ([depth; 3], Branches::Fixed)),
        [0_usize..4, 0_usize..4, 0_usize..4].prop_map(|depths| (depths, Branches::Anywhere)),
    ]
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn merged_tries_are_what_their_lists_say(
        world in any_world(1..=3),
        (depths, branches) in any_depths(),
    ) {
        let (sources, whole) = sources(&world, depths);
        let dated: Vec<_> = sources.iter().map(|trie| trie.clone().dated(|time| *time)).collect();
        let all: Vec<_> = sources.iter().collect();
        let all_dated: Vec<_> = dated.iter().collect();
        for direction in BOTH {
            check(|| many(&all, branches, direction), &whole)?;
            check(|| many(&all_dated, branches, direction), &whole)?;
            if let [first, second] = all[..] {
                check(|| two(first, second, branches, direction), &whole)?;
                check(|| two(second, &dated[0], branches, direction), &whole)?;
            }
            if let [first, second, third] = all[..] {
                check(|| {
                    let pair = VerifiedDeletionAware::new(two(first, second, branches, direction));
                    Merged::of_two(third.cursor(direction), pair, branches, u32::max, delete)
                }, &whole)?;
            }
        }
    }

    #[test]
    fn a_slice_of_merged_tries_is_what_their_lists_say(
        world in any_world(1..=3),
        (depths, branches) in any_depths(),
        raw in any_intervals(),
    ) {
        let (sources, whole) = sources(&world, depths);
        let all: Vec<_> = sources.iter().collect();
        let bounds = bounds(world.shape, &raw);
        let (set, expected) = (set_of(&bounds), whole.within(&intervals(&bounds)));
        for direction in BOTH {
            check(|| Within::slice(many(&all, branches, direction), set.cursor(direction)), &expected)?;
        }
    }

    #[test]
    fn the_branch_at_a_key_is_what_the_lists_have_there(
        world in any_world(1..=3),
        (depths, branches) in any_depths(),
        (number, cut) in (0_u8..64, 0_usize..7),
        (from, to) in (any_direction(), any_direction()),
    ) {
        let mut key = world.shape.key(number);
        key.truncate(cut);
        let (sources, whole) = sources(&world, depths);
        let all: Vec<_> = sources.iter().collect();
        let expected = whole.branch(&key);
        let walk = || many(&all, branches, from);
        prop_assert_eq!(applicable_deletion(walk(), &key), whole.applicable(&key));
        match tail_at(walk(), &key, to, true) {
            Some(tail) => check(|| tail.tail(from), &expected)?,
            None => {
                prop_assert_eq!(expected.live(), []);
                prop_assert_eq!(expected.markers(), []);
            }
        }
        let mut below = VerifiedDeletionAware::new(walk());
        if below.descend_along(&key) {
            prop_assert_eq!(sorted(below.tail(to)), expected.live());
            let again = below.tail(to).tail(from);
            prop_assert_eq!(sorted(again), expected.live());
        }
    }

    #[test]
    fn a_view_that_stops_shows_what_is_live_from_there_on(
        world in any_world(1..=3),
        (depths, branches) in any_depths(),
        (count, direction) in (0_usize..20, any_direction()),
    ) {
        let (sources, _) = sources(&world, depths);
        let all: Vec<_> = sources.iter().collect();
        let view = || Entries::new(Verified::new(LiveAndDeletions::new(many(&all, branches, direction))));
        let issued: Vec<_> = view().take(count).collect();
        let seen = issued.iter().filter(|(_, mixed)| mixed.live.is_some()).count();
        let live: Vec<_> = Entries::new(many(&all, branches, direction)).collect();
        let mut stopped = view();
        for _ in 0..count {
            stopped.next_content();
        }
        stopped.cursor_mut().inner_mut().stop_issuing_deletions();
        let rest: Vec<_> = stopped.collect();
        prop_assert!(rest.iter().all(|(_, mixed)| mixed.marker.is_none()));
        let rest: Vec<_> = rest.into_iter().map(|(key, mixed)| (key, mixed.live)).collect();
        let expected = live[seen..].iter().map(|(key, time)| (key.clone(), Some(*time)));
        prop_assert_eq!(rest, expected.collect::<Vec<_>>());
    }
}
