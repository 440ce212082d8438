//! Invariants tests of sets against plain intervals.

use cenotaph_engine::trie::Direction;
use cenotaph_engine::trie::range::{Marker, Place, RangeMerge, RangeWithin};
use cenotaph_engine::trie::set::{Complement, Within};
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
use cenotaph_engine::trie::walk::Entries;
use proptest::prelude::*;

use super::ranges::set_of;
use super::worlds::{any_intervals, any_world, bounds, intervals};
use crate::laws::config;
use crate::trie::support::{BOTH, places};

/// The markers of a set that is told by whether it has what is just before and just after a place, all of which
/// changes lie at some of `at`.
fn told(mut at: Vec<Place>, is_in: impl Fn(&Place, bool) -> bool) -> Vec<(Place, Marker<()>)> {
    at.extend([Place::before([]), Place::after([])]);
    at.sort();
    at.dedup();
    let (first, last) = (Place::before([]), Place::after([]));
    let marker = |place: Place| {
        let left = place != first && is_in(&place, false);
        let right = place != last && is_in(&place, true);
        let marker = Marker::boundary(left.then_some(()), right.then_some(()));
        marker.is_change().then_some((place, marker))
    };
    at.into_iter().filter_map(marker).collect()
}

/// Whether intervals have what is just before or just after a place.
fn has(intervals: &[(Place, Place)], place: &Place, is_right: bool) -> bool {
    intervals.iter().any(|(start, end)| match is_right {
        true => start <= place && place < end,
        false => start < place && place <= end,
    })
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn the_algebra_of_sets_is_that_of_their_members(
        world in any_world(1..=1),
        (one, other) in (any_intervals(), any_intervals()),
    ) {
        let (one, other) = (bounds(world.shape, &one), bounds(world.shape, &other));
        let (first, second) = (set_of(&one), set_of(&other));
        let (of_one, of_other) = (intervals(&one), intervals(&other));
        let at = || [one.clone(), other.clone()].concat();
        for direction in BOTH {
            let (a, b) = (|| VerifiedRange::new(first.cursor(direction)), || second.cursor(direction));
            let both = told(at(), |p, right| has(&of_one, p, right) && has(&of_other, p, right));
            prop_assert_eq!(places(RangeWithin::new(a(), b())), both);
            let either = told(at(), |p, right| has(&of_one, p, right) || has(&of_other, p, right));
            prop_assert_eq!(places(RangeMerge::new(a(), b())), either.clone());
            let not = told(at(), |p, right| !has(&of_one, p, right));
            prop_assert_eq!(places(Complement::new(a())), not);
            let none = RangeWithin::new(Complement::new(a()), Complement::new(b()));
            prop_assert_eq!(places(Complement::new(VerifiedRange::new(none))), either);
        }
    }

    #[test]
    fn data_within_a_set_is_what_its_intervals_have(world in any_world(1..=1), raw in any_intervals()) {
        let bounds = bounds(world.shape, &raw);
        let (set, intervals, whole) = (set_of(&bounds), intervals(&bounds), world.whole());
        let data = whole.list();
        let reaches = |key: &[u8]| {
            let mut below = bounds.iter().filter(|place| place.key.starts_with(key));
            has(&intervals, &Place::before(key), true)
                || below.any(|place| {
                    let inner = |right| has(&intervals, place, right);
                    let (first, last) = (Place::before(key), Place::after(key));
                    *place != first && inner(false) || *place != last && inner(true)
                })
        };
        let cut: Vec<_> = whole.within(&intervals).live.into_iter().collect();
        let mut with_prefixes: Vec<_> = whole.live.clone().into_iter().collect();
        with_prefixes.retain(|(key, _)| reaches(key));
        for direction in BOTH {
            let data = || Verified::new(data.cursor(direction));
            let within = Within::new(data(), VerifiedRange::new(set.cursor(direction)));
            prop_assert_eq!(sorted(within), with_prefixes.clone());
            prop_assert_eq!(sorted(Within::slice(data(), set.cursor(direction))), cut.clone());
        }
        let mut descending: Vec<_> = Entries::new(Within::slice(
            data.ordered_cursor(Direction::Reverse),
            set.cursor(Direction::Reverse),
        )).collect();
        descending.reverse();
        prop_assert_eq!(descending, cut);
    }
}

fn sorted<C: cenotaph_engine::trie::Cursor<Content = u32>>(cursor: C) -> Vec<(Vec<u8>, u32)> {
    let mut found: Vec<_> = Entries::new(Verified::new(cursor)).collect();
    found.sort_unstable();
    found
}
