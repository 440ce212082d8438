//! Invariants tests of ranges against plain lists.

use cenotaph_engine::trie::range::{
    Applied, Marker, Place, RangeCursor, RangeMerge, RangeMergeMany, RangeWithin,
};
use cenotaph_engine::trie::set::Set;
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
use cenotaph_engine::trie::view::Prefixed;
use cenotaph_engine::trie::walk::Entries;
use cenotaph_engine::trie::{Cursor, Direction};
use proptest::prelude::*;

use super::worlds::{any_direction, any_intervals, any_world, bounds, intervals};
use crate::laws::config;
use crate::trie::support::{BOTH, places};

/// The set of intervals, which may be none.
pub(super) fn set_of(bounds: &[Place]) -> Set {
    if bounds.is_empty() {
        return Set::empty();
    }
    let bounds: Vec<_> = bounds.iter().cloned().map(Some).collect();
    Set::of(&bounds).expect("they ascend")
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn merged_ranges_are_what_their_list_says(world in any_world(2..=3)) {
        let expected = world.whole().markers();
        let lists: Vec<_> = world.sources.iter().map(|source| source.range_list()).collect();
        prop_assert_eq!(places(world.whole().range_list().cursor(Direction::Forward)), expected.clone());
        for direction in BOTH {
            let cursors = || lists.iter().map(|list| VerifiedRange::new(list.cursor(direction)));
            prop_assert_eq!(places(RangeMergeMany::new(cursors())), expected.clone());
            let mut cursors = cursors();
            let two = RangeMerge::new(cursors.next().expect("two"), cursors.next().expect("two"));
            let found = match cursors.next() {
                Some(third) => places(RangeMerge::new(third, VerifiedRange::new(two))),
                None => places(two),
            };
            prop_assert_eq!(found, expected.clone());
        }
    }

    #[test]
    fn ranges_cut_to_a_set_are_what_their_list_says(
        world in any_world(1..=2),
        raw in any_intervals(),
    ) {
        let bounds = bounds(world.shape, &raw);
        let set = set_of(&bounds);
        let expected = world.whole().within(&intervals(&bounds)).markers();
        let lists: Vec<_> = world.sources.iter().map(|source| source.range_list()).collect();
        for direction in BOTH {
            let cursors = || lists.iter().map(|list| list.cursor(direction));
            let merge = VerifiedRange::new(RangeMergeMany::new(cursors()));
            let of_merge = RangeWithin::new(merge, set.cursor(direction));
            prop_assert_eq!(places(of_merge), expected.clone());
            let cut = |list| VerifiedRange::new(RangeWithin::new(list, set.cursor(direction)));
            let of_cuts = RangeMergeMany::new(cursors().map(cut));
            prop_assert_eq!(places(of_cuts), expected.clone());
        }
    }

    #[test]
    fn the_branch_at_a_key_is_what_the_list_has_there(
        world in any_world(1..=3),
        (number, cut) in (0_u8..64, 0_usize..7),
        (from, to) in (any_direction(), any_direction()),
    ) {
        let mut key = world.shape.key(number);
        key.truncate(cut);
        let whole = world.whole();
        let lists: Vec<_> = world.sources.iter().map(|source| source.range_list()).collect();
        let cursors = lists.iter().map(|list| VerifiedRange::new(list.cursor(from)));
        let mut merge = VerifiedRange::new(RangeMergeMany::new(cursors));
        if merge.descend_along(&key) {
            prop_assert_eq!(merge.applicable(), whole.applicable(&key));
            let tail = merge.tail(to);
            prop_assert_eq!(places(tail.tail(from)), whole.branch(&key).markers());
            prop_assert_eq!(places(tail), whole.branch(&key).markers());
        } else {
            prop_assert_eq!(merge.preceding(), whole.right(&Place::before(key.clone())));
            prop_assert_eq!(merge.preceding(), whole.left(&Place::after(key.clone())));
        }
    }

    #[test]
    fn ranges_take_from_data_what_the_list_says(world in any_world(1..=2)) {
        let whole = world.whole();
        let lists: Vec<_> = world.sources.iter().map(|source| source.range_list()).collect();
        let data = whole.list();
        for direction in BOTH {
            let ranges = RangeMergeMany::new(lists.iter().map(|list| list.cursor(direction)));
            let data = Verified::new(data.cursor(direction));
            let applied = Applied::new(data, VerifiedRange::new(ranges), |state, time| {
                (time > state).then_some(time)
            });
            let mut found: Vec<_> = Entries::new(Verified::new(applied)).collect();
            found.sort_unstable();
            prop_assert_eq!(found, whole.live());
        }
    }

    #[test]
    fn ranges_below_a_prefix_are_those_of_the_branch_there(
        world in any_world(1..=1),
        prefix in prop::collection::vec(any::<u8>(), 0..4),
        direction in any_direction(),
    ) {
        let list = world.sources[0].range_list();
        let prefixed = Prefixed::new(&prefix, VerifiedRange::new(list.cursor(direction)));
        let mut walk = VerifiedRange::new(prefixed.clone());
        prop_assert!(walk.descend_along(&prefix));
        prop_assert_eq!(places(walk.tail(Direction::Forward)), places(list.cursor(Direction::Forward)));
        let lengthen = |(mut place, marker): (Place, Marker<u32>)| {
            place.key.splice(..0, prefix.iter().copied());
            (place, marker)
        };
        let expected: Vec<_> = world.sources[0].markers().into_iter().map(lengthen).collect();
        prop_assert_eq!(places(prefixed), expected);
    }
}
