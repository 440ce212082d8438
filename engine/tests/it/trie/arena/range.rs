//! Invariants of range deletions: what is all too old goes as a whole, what is too new is not looked at.

use cenotaph_engine::trie::arena::{Arena, Fate, Reach, Root};

use super::support::{Item, Model, assert_same};

/// So many keys of three bytes, written one after the other.
fn written(arena: &mut Arena<Item>, count: u32) -> (Root, Model) {
    let (mut root, mut model) = (Root::EMPTY, Model::new());
    for number in 0..count {
        let key = number.to_be_bytes()[1..].to_vec();
        let item = Item::Timed(i64::from(number), number);
        root = arena.put(root, &key, item).expect("there is space");
        model.insert(key, item);
    }
    (root, model)
}

fn reach(to: i64) -> Reach {
    Reach {
        dropped_to: to,
        visited_to: to,
    }
}

fn kept(_: &[u8], _: Item) -> Fate<Item> {
    Fate::Keep
}

fn all() -> std::ops::Range<&'static [u8]> {
    &[]..&[0xFF; 9]
}

#[test]
fn a_deletion_of_everything_gives_everything_back() {
    let mut arena = Arena::new();
    let (root, model) = written(&mut arena, 3_000);
    let mut dropped = Vec::new();
    let mut mutation = arena.begin();
    let removed = mutation.remove_range(root, all(), reach(5_000), kept, |leaf| dropped.push(leaf));
    assert_eq!(removed, Ok(Root::EMPTY));
    mutation.finish();
    assert_eq!(dropped, model.into_values().collect::<Vec<_>>());
    assert_eq!(arena.used_bytes(), 0);
}

#[test]
fn a_deletion_that_comes_late_looks_at_no_cell_of_what_is_newer() {
    let mut arena = Arena::new();
    let (root, model) = written(&mut arena, 3_000);
    let made = arena.counters().cells_made();
    let asked = |_: &[u8], _: Item| panic!("all is newer");
    let mut mutation = arena.begin();
    let removed = mutation.remove_range(root, all(), reach(-1), asked, |_| panic!("all is newer"));
    assert_eq!(removed, Ok(root));
    mutation.finish();
    assert_eq!(arena.counters().cells_made(), made);
    assert_same(&arena, root, &model);
}

#[test]
fn the_same_deletion_twice_and_an_older_one_after_it_change_nothing_more() {
    let mut arena = Arena::new();
    let (mut root, mut model) = written(&mut arena, 3_000);
    let range = &[0, 1][..]..&[0, 9][..];
    let mut used = None;
    for to in [2_000, 2_000, 1_000] {
        let mut mutation = arena.begin();
        let removed = mutation.remove_range(root, range.clone(), reach(to), kept, |_| {});
        root = removed.expect("there is space");
        mutation.finish();
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
        assert_eq!(*used.get_or_insert(arena.used_bytes()), arena.used_bytes());
    }
    model.retain(|key, item| {
        !range.contains(&&key[..]) || matches!(item, Item::Timed(time, _) if *time > 2_000)
    });
    assert_same(&arena, root, &model);
}

#[test]
fn what_takes_the_place_of_others_is_within_bounds_that_are_as_wide() {
    for (shift, reached) in [(10_000, 20_000), (-10_000, -1)] {
        let mut arena = Arena::new();
        let (root, _) = written(&mut arena, 1_000);
        let visited = Reach {
            dropped_to: -1,
            visited_to: 5_000,
        };
        let shifted = |_: &[u8], item| match item {
            Item::Timed(time, number) => Fate::Replace(Item::Timed(time + shift, number)),
            _ => Fate::Keep,
        };
        let mut mutation = arena.begin();
        let root = mutation.remove_range(root, all(), visited, shifted, |_| panic!("all is asked"));
        let root = root.expect("there is space");
        mutation.finish();
        assert_eq!(arena.audit(&[root], &[]), Ok(()));
        let mut mutation = arena.begin();
        let removed = mutation.remove_range(root, all(), reach(reached), kept, |_| {});
        assert_eq!(removed, Ok(Root::EMPTY));
    }
}

#[test]
fn a_range_that_is_empty_or_turned_round_covers_nothing() {
    let mut arena = Arena::new();
    let (root, _) = written(&mut arena, 10);
    for (start, end) in [([0, 0, 5], [0, 0, 5]), ([0, 0, 6], [0, 0, 5])] {
        let mut mutation = arena.begin();
        let range = &start[..]..&end[..];
        let removed = mutation.remove_range(root, range, reach(100), kept, |_| panic!("none"));
        assert_eq!(removed, Ok(root));
    }
}

#[test]
fn a_reader_sees_what_a_deletion_took() {
    let mut arena = Arena::new();
    let (root, model) = written(&mut arena, 1_000);
    let guard = arena.read();
    let mut mutation = arena.begin();
    let range = &[0, 0, 100][..]..&[0, 3, 200][..];
    let after = mutation.remove_range(root, range, reach(2_000), kept, |_| {});
    let after = after.expect("there is space");
    mutation.finish();
    assert_eq!(arena.audit(&[after], &[root]), Ok(()));
    assert_same(&arena, root, &model);
    drop(guard);
    assert_eq!(arena.audit(&[after], &[]), Ok(()));
}
