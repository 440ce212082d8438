//! Invariants tests of skips: a skip lands where single steps would have come to, and knows the same there.

use cenotaph_engine::trie::deletion_aware::LiveAndDeletions;
use cenotaph_engine::trie::deletion_aware::merge::Branches;
use cenotaph_engine::trie::list::{Entry, List};
use cenotaph_engine::trie::merge::{Merge, MergeMany};
use cenotaph_engine::trie::range::{RangeCursor, RangeMerge, RangeMergeMany, RangeWithin};
use cenotaph_engine::trie::set::{Complement, Within};
use cenotaph_engine::trie::verify::{Verified, VerifiedRange};
use cenotaph_engine::trie::view::Prefixed;
use cenotaph_engine::trie::{Cursor, Direction, Position};
use proptest::prelude::*;

use super::ranges::set_of;
use super::worlds::{any_direction, any_intervals, any_world, bounds};
use crate::laws::config;
use crate::trie::deletion_aware::forms::many;

/// Where to skip from, and what to aim at: indices of stops, and whether at the stop, beyond it, at its return or
/// at a child.
type Aim = (usize, usize, u8, u8);

fn any_aims() -> impl Strategy<Value = Vec<Aim>> {
    prop::collection::vec((0_usize..40, 0_usize..12, 0_u8..4, any::<u8>()), 4)
}

/// Compares skips with steps on a walk that can be begun anew; `look` is what is known at a stop.
fn check<C: Cursor, L: PartialEq + std::fmt::Debug>(
    begin: impl Fn() -> C,
    look: impl Fn(&C) -> L,
    aims: &[Aim],
) -> Result<(), TestCaseError> {
    let mut cursor = begin();
    let mut stops = vec![(cursor.position(), Some(look(&cursor)))];
    let mut paths = vec![vec![cursor.position()]];
    while !cursor.advance().is_exhausted() {
        let position = cursor.position();
        stops.push((position, Some(look(&cursor))));
        let depth = usize::try_from(position.depth()).expect("the walk is not over");
        let mut path = paths[paths.len() - 1].clone();
        path.truncate(depth);
        path.push(position);
        paths.push(path);
    }
    stops.push((cursor.position(), None));
    for (from, ahead, kind, byte) in aims {
        let from = from % (stops.len() - 1);
        let here = stops[from].0;
        let near = stops[(from + ahead).min(stops.len() - 1)].0;
        let target = match kind {
            0 => near,
            1 if !near.is_exhausted() => near.beyond(),
            2 if !near.is_exhausted() => near.on_return(),
            _ if !here.is_return() => here.child(*byte),
            _ => Position::exhausted(here.direction()),
        };
        let depth = usize::try_from(target.depth()).ok();
        let met = depth.and_then(|depth| paths[from].get(depth));
        if !here.can_skip_to(target) || met.is_some_and(|met| *met >= target) {
            continue;
        }
        let mut cursor = begin();
        for _ in 0..from {
            cursor.advance();
        }
        let landed = cursor.skip_to(target);
        let later = stops[from + 1..].iter();
        let expected = later
            .clone()
            .find(|(position, _)| *position >= target)
            .expect("the end is beyond all");
        prop_assert_eq!(landed, expected.0, "from {:?} to {:?}", here, target);
        if let Some(known) = &expected.1 {
            prop_assert_eq!(&look(&cursor), known, "from {:?} to {:?}", here, target);
        }
        while !cursor.position().is_exhausted() {
            let at = stops.iter().position(|(p, known)| {
                *p == cursor.position() && known.as_ref() == Some(&look(&cursor))
            });
            prop_assert!(
                at.is_some(),
                "a stop that steps do not make: {:?}",
                cursor.position()
            );
            cursor.advance();
        }
    }
    Ok(())
}

fn ranges<R: RangeCursor>(begin: impl Fn() -> R, aims: &[Aim]) -> Result<(), TestCaseError> {
    let look = |cursor: &VerifiedRange<R>| (cursor.state(), cursor.preceding(), cursor.content());
    check(|| VerifiedRange::new(begin()), look, aims)
}

fn data<C: Cursor>(begin: impl Fn() -> C, aims: &[Aim]) -> Result<(), TestCaseError>
where
    C::Content: PartialEq + std::fmt::Debug,
{
    check(|| Verified::new(begin()), |cursor| cursor.content(), aims)
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn a_skip_over_ranges_lands_where_steps_would(
        world in any_world(3..=3),
        (raw, direction, aims) in (any_intervals(), any_direction(), any_aims()),
    ) {
        let lists: Vec<_> = world.sources.iter().map(|source| source.range_list()).collect();
        let set = set_of(&bounds(world.shape, &raw));
        let cursor = |index: usize| lists[index].cursor(direction);
        ranges(|| cursor(0), &aims)?;
        ranges(|| RangeMerge::new(cursor(0), cursor(1)), &aims)?;
        ranges(|| RangeMergeMany::new([cursor(0), cursor(1), cursor(2)]), &aims)?;
        ranges(|| RangeWithin::new(RangeMerge::new(cursor(0), cursor(1)), set.cursor(direction)), &aims)?;
        ranges(|| Complement::new(set.cursor(direction)), &aims)?;
        ranges(|| Prefixed::new(b"\x00\xFF", cursor(0)), &aims)?;
    }

    #[test]
    fn a_skip_over_data_lands_where_steps_would(
        world in any_world(3..=3),
        (raw, direction, aims) in (any_intervals(), any_direction(), any_aims()),
    ) {
        let lists: Vec<_> = world.sources.iter().map(|source| source.list()).collect();
        let set = set_of(&bounds(world.shape, &raw));
        let cursor = |index: usize| lists[index].cursor(direction);
        data(|| cursor(0), &aims)?;
        data(|| lists[0].ordered_cursor(direction), &aims)?;
        data(|| Merge::new(cursor(0), cursor(1), u32::max), &aims)?;
        data(|| MergeMany::new([cursor(0), cursor(1), cursor(2)], u32::max), &aims)?;
        data(|| Within::new(cursor(0), set.cursor(direction)), &aims)?;
        data(|| Within::slice(lists[0].ordered_cursor(direction), set.cursor(direction)), &aims)?;
        data(|| Prefixed::new(b"\x00\xFF", cursor(0)), &aims)?;
    }

    #[test]
    fn a_skip_over_live_data_and_deletions_lands_where_steps_would(
        world in any_world(3..=3),
        (direction, aims) in (any_direction(), any_aims()),
    ) {
        let sources: Vec<_> = world.sources.iter().map(|model| super::deletion_aware::source(model, 0).0).collect();
        let sources: Vec<_> = sources.iter().collect();
        data(|| LiveAndDeletions::new(many(&sources, Branches::Fixed, direction)), &aims)?;
        data(|| many(&sources, Branches::Fixed, direction), &aims)?;
    }

    #[test]
    fn a_list_walks_as_its_sorted_keys(keys in prop::collection::btree_set(
        prop::collection::vec(prop::sample::select(&[0_u8, 1, 2, 0xFF][..]), 0..5), 0..20,
    )) {
        let keys: Vec<_> = keys.into_iter().collect();
        let entries = keys.iter().map(|key| Entry::new(key.clone(), ())).collect();
        let list = List::new(entries).expect("a set's keys ascend");
        let walked = |cursor| {
            let entries = cenotaph_engine::trie::walk::Entries::new(Verified::new(cursor));
            entries.map(|(key, ())| key).collect::<Vec<_>>()
        };
        prop_assert_eq!(&walked(list.cursor(Direction::Forward)), &keys);
        prop_assert_eq!(&walked(list.ordered_cursor(Direction::Forward)), &keys);
        let mut descending = walked(list.ordered_cursor(Direction::Reverse));
        descending.reverse();
        prop_assert_eq!(&descending, &keys);
        let mut prefixes_first = keys;
        prefixes_first.sort_by(|left, right| {
            let shared = left.iter().zip(right).take_while(|(l, r)| l == r).count();
            match (left.get(shared), right.get(shared)) {
                (Some(left), Some(right)) => right.cmp(left),
                (left, right) => left.cmp(&right),
            }
        });
        prop_assert_eq!(walked(list.cursor(Direction::Reverse)), prefixes_first);
    }
}
